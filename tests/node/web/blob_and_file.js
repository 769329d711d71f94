'use strict';
// Arguments of Blob and File as Web IDL converts them, and copies of both.
function show(make) {
  try {
    console.log(make());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
const badIterators = [
  { [Symbol.iterator]: 1 }, { [Symbol.iterator]() { return 1; } }, { [Symbol.iterator]() { return {}; } },
  { [Symbol.iterator]() { return { next() { return 1; } }; } },
];
for (const sources of [1, null, 'abc', true, {}, () => 1, Symbol('x'), ...badIterators, new Set(['a']), [Symbol('a')],
  [{ toString() { return 'q'; } }]]) {
  show(() => new Blob(sources));
}
for (const options of [1, null, 'abc', () => 1, { type: 1 }, { type: Symbol('x') }, { endings: 'foo' },
  { endings: Symbol('y') }, { type: 'a\u00e9' }, { type: 'TEXT/x' }]) {
  show(() => new Blob([], options));
}
const blob = new Blob(['hello']);
for (const range of [[1n], [Symbol('s')], ['1'], [NaN], [-3], [1.7], [0.5], [1.5], [Infinity], [1, -1], [2 ** 40], [4, 1],
  [undefined, undefined, 'A/B'], [{ valueOf() { return 2; } }], [-1, -3]]) {
  show(() => blob.slice(...range));
}
for (const Class of [Blob, File]) {
  for (const [name, { enumerable }] of Object.entries(Object.getOwnPropertyDescriptors(Class.prototype))) {
    console.log(Class.name, name, enumerable);
  }
}
show(() => Blob.prototype.size);
show(() => File.prototype.name);
show(() => new File());
show(() => new File([], 'a', { lastModified: 1n }));
show(() => new File(['x'], 'a\ud800', { lastModified: '7' }));
show(() => new File(['x'], 'a', { lastModified: 'x' }));
const copy = structuredClone(new File(['abc'], 'q', { lastModified: 5, type: 'x/y' }));
console.log(copy, copy instanceof File);
show(() => structuredClone(blob, { transfer: [blob] }));
console.log(new Blob(['a\r\nb\rc\n'], { endings: 'native' }).size);
