'use strict';
// What each option refuses, by constructors and by functions.
const zlib = require('node:zlib');
function attempt(label, block) {
  try { block(); console.log(label, 'ok'); } catch (error) { console.log(label, error.name, error.code, error.message); }
}
const bad = {
  windowBits: [7, 16, 8, 0, 'a', NaN, Infinity, null, undefined, -15],
  level: [-2, 10, '6', NaN, Infinity, 1.5],
  memLevel: [0, 10, 'x', NaN],
  strategy: [-1, 5, 'x', null],
  chunkSize: [63, 0, -1, '64', NaN, Infinity, 64],
  flush: [-1, 6, 'x', NaN, 5],
  finishFlush: [-1, 6, 'x', 0],
  maxOutputLength: [0, -1, '1', NaN, 2 ** 53, 1.5],
  dictionary: ['text', 5, null, [], {}],
  rejectGarbageAfterEnd: [1, 'true', null],
  highWaterMark: [-1, 'x'],
};
for (const [name, values] of Object.entries(bad)) {
  for (const value of values) {
    const shown = `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
    attempt(`Gzip ${shown}`, () => new zlib.Gzip({ [name]: value }));
    attempt(`Gunzip ${shown}`, () => new zlib.Gunzip({ [name]: value }));
    attempt(`deflateSync ${shown}`, () => zlib.deflateSync('x', { [name]: value }));
  }
}
