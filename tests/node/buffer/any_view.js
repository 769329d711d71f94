// copy() between views of any kind; the checked writes; memory that is resized, and memory that must stay where it is.
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
const source = Buffer.from('abcdefgh');
const numbers = new Uint16Array(4);
attempt('to numbers', () => [source.copy(numbers), numbers]);
attempt('to a part', () => [source.copy(numbers, 6, 2), numbers]);
attempt('to a DataView', () => { const view = new DataView(new ArrayBuffer(5), 1); return [source.copy(view, 1, 3), view]; });
attempt('from numbers', () => { const target = Buffer.alloc(6); return [Buffer.prototype.copy.call(new Uint32Array([1, 2]), target, 1), target]; });
attempt('floats', () => { const target = new Float64Array(1); return [Buffer.from([0, 0, 0, 0, 0, 0, 0xf0, 0x3f]).copy(target), target]; });
for (const wrong of [5, null, {}, new ArrayBuffer(4), 'text']) {
  attempt('target', () => source.copy(wrong));
  attempt('source', () => Buffer.prototype.copy.call(wrong, source));
}
for (const method of ['asciiWrite', 'latin1Write', 'utf8Write']) {
  for (const args of [[], [0], [0, 1], [2], [3], [-1], [0, -1], [0, 4], [1, 2], [1, 3], [undefined, 2], [0, undefined], ['1', '1'], [NaN, 1]]) {
    attempt(`${method} ${JSON.stringify(args)}`, () => { const target = Buffer.alloc(3); return [target[method]('xyz', ...args), target]; });
  }
  console.log(Buffer.prototype[method].name, Buffer.prototype[method].length);
}
const memory = new ArrayBuffer(10, { maxByteLength: 20 });
const tracking = Buffer.from(memory, 2);
const fixed = Buffer.from(memory, 2, 4);
for (const size of [20, 10, 4, 1, 15]) {
  memory.resize(size);
  console.log(size, tracking.length, fixed.length, tracking.byteOffset);
}
const pooled = Buffer.from('in the pool');
attempt('transfer', () => pooled.buffer.transfer());
attempt('clone', () => structuredClone(pooled.buffer, { transfer: [pooled.buffer] }));
console.log(pooled.toString());
