const Module = require('module');
const m = new Module('virtual', module);
m.filename = __filename;
m.paths = module.paths;
m._compile('exports.answer = 6 * 7; exports.plain = require("plain");', __dirname + '/virtual.js');
console.log(m.exports);
