// Verbatim, from the main module: both run, in an order that is open.
const { log } = console;
const seen = [];
console.log = (text) => seen.push(text);
process.on('exit', () => log(seen.sort()));
require('./fixtures/timeout_vs_immediate.js');
