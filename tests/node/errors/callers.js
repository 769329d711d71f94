// Errors of files, buffers and URLs name the function that the program called, and below it the program.
const fs = require('fs');

function report(call) {
  try {
    call();
  } catch (error) {
    const names = error.stack.split('\n').filter((line) => line.startsWith('    at '))
      .slice(0, 2).map((line) => line.replace(/ \(.*/, '').replace(/ \/.*/, ' program'));
    console.log(error.code, names);
  }
}

for (const [name, ...args] of [
  ['readdirSync', '/nope'], ['statSync', '/nope'], ['lstatSync', '/nope'], ['openSync', '/nope'], ['unlinkSync', '/nope'],
  ['mkdirSync', '/nope/a'], ['rmdirSync', '/nope'], ['renameSync', '/nope', '/nope2'], ['copyFileSync', '/nope', '/nope2'],
  ['readlinkSync', '/nope'], ['accessSync', '/nope'], ['chmodSync', '/nope', 0o600],
  ['utimesSync', '/nope', 1, 1], ['linkSync', '/nope', '/nope2'], ['readSync', 99, Buffer.alloc(1)],
  ['writeSync', 99, 'text'], ['closeSync', 99], ['fstatSync', 99], ['fsyncSync', 99], ['ftruncateSync', 99],
]) {
  report(function program() { fs[name](...args); });
}
report(function program() { Buffer.alloc('x'); });
report(function program() { Buffer.allocUnsafe(-1); });
report(function program() { new URL('x'); });
