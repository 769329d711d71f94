'use strict';
const crypto = require('node:crypto');

console.log(crypto.constants);
console.log(Object.keys(crypto).sort().join(' '));
