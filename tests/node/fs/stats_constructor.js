// rondo-test: option=--no-warnings
'use strict';
// The constructor of Stats warns; what stat() gives is an instance of it.
const fs = require('fs');
console.log(fs.statSync('.') instanceof fs.Stats, fs.Stats.name);
process.on('warning', ({ name, code, message }) => console.log(name, code, message));
console.log(new fs.Stats(1).dev);
