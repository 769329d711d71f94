// Which stream the console writes to when the process's own are replaced, before and after its first line.
'use strict';
const { Writable } = require('stream');

function collector(name, lines) {
  return new Writable({
    write(chunk, encoding, callback) {
      lines.push(`${name}: ${chunk}`);
      callback();
    },
  });
}

const lines = [];
const own = Object.getOwnPropertyDescriptor(process, 'stdout');

// stderr: replaced before the console has written to it.
Object.defineProperty(process, 'stderr', { configurable: true, get: () => collector('early', lines) });
console.error('to the early one');
console.error('%d', 1, { two: 2 });

// stdout: replaced after its first line, which is too late.
console.log('first');
Object.defineProperty(process, 'stdout', { configurable: true, value: collector('late', lines) });
console.log('second');
console.log({ third: 3 });
Object.defineProperty(process, 'stdout', own);

// The console's own property.
const before = Object.getOwnPropertyDescriptor(console, '_stdout');
Object.defineProperty(console, '_stdout', { configurable: true, value: collector('defined', lines) });
console.log('to the defined one');
Object.defineProperty(console, '_stdout', before);
console.log('fourth');

// The stream itself, which the console has written past so far.
const { write } = process.stdout;
process.stdout.write = function(chunk, ...rest) {
  lines.push(`patched: ${chunk}`);
  return Reflect.apply(write, this, [chunk, ...rest]);
};
console.group('group');
console.log('fifth\nsixth');
console.groupEnd();
delete process.stdout.write;

console.log(console._stdout === process.stdout);
console.log(lines);
