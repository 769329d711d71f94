'use strict';
// indexOf(), lastIndexOf() and includes() with an end, and where the encoding stands in its place.
const buffer = Buffer.from('abcabcabc');

function attempt(name, ...args) {
  try {
    return buffer[name](...args);
  } catch (error) {
    return error.code ?? error.message;
  }
}

const ends = [0, 1, 3, 5, -1, -4, -100, 100, NaN, 2.9, 1e12, -1e12, Infinity, -Infinity, undefined];
for (const name of ['indexOf', 'lastIndexOf', 'includes']) {
  for (const value of ['c', 'bc', '', 99, Buffer.from('bc'), Buffer.from('')]) {
    for (const offset of [0, 2, -1, -20, 100, undefined]) {
      console.log(name, JSON.stringify(value), offset,
        ends.map((end) => attempt(name, value, offset, end)).join(' '),
        attempt(name, value, offset, 5, 'utf16le'), attempt(name, value, offset, 5, 'latin1'),
        attempt(name, value, offset, 5, 'nope'), attempt(name, value, offset, 5, 5),
        attempt(name, value, offset, 'hex', 'latin1'), attempt(name, value, 'latin1', 5),
        attempt(name, value, 'latin1', 5, 'utf16le'));
    }
  }
}

// Of UTF-16 the whole units count.
const odd = Buffer.alloc(9);
console.log(odd.indexOf('', 100, 'utf16le'), odd.lastIndexOf('', undefined, 'utf16le'), odd.indexOf('', 7, 7, 'utf16le'));
const wide = Buffer.from('abcabc', 'utf16le');
console.log([5, 6, 7].map((end) => wide.indexOf('c', 0, end, 'utf16le')),
  [11, 12].map((end) => wide.lastIndexOf('c', 11, end, 'utf16le')), wide.lastIndexOf('c', 5, 5, 'utf16le'));
const bytes = new Uint8Array(wide);
console.log(Buffer.prototype.includes.call(bytes, 'c', 0, 'utf16le'), Buffer.prototype.indexOf.length);
