// rondo-test: scratch
'use strict';
// The option `buffer` of readFile(): the memory that is read into, or a function that gives it.
const fs = require('fs');

fs.writeFileSync('ten', '0123456789');
fs.writeFileSync('empty', '');
const large = Buffer.alloc(700_000, 'abc');
fs.writeFileSync('large', large);

const proc = '/proc/sys/kernel/ostype'; // says that it is empty
const kProcSize = fs.readFileSync(proc).length;
const backing = new ArrayBuffer(64);
const choices = {
  exact: () => Buffer.alloc(10), larger: () => Buffer.alloc(20, '.'), small: () => Buffer.alloc(9), none: () => Buffer.alloc(0),
  typed: () => new Uint16Array(8), view: () => new DataView(backing, 3, 30), middle: () => new Uint8Array(backing, 5, 12),
  array: () => new ArrayBuffer(20), shared: () => new Uint8Array(new SharedArrayBuffer(16)), text: () => 'text', nothing: () => null, number: () => 5,
  list: () => [1, 2], byFunction: () => (size) => Buffer.alloc(size + 2), bySmall: () => (size) => Buffer.alloc(Math.max(0, size - 1)),
  byNothing: () => () => undefined, byText: () => () => 'x', byThrow: () => () => { throw new RangeError('no memory'); },
  byTyped: () => (size) => new Float64Array(Math.ceil((size + 1) / 8)), byView: () => (size) => new DataView(new ArrayBuffer(size + 1)), byLater: () => async (size) => Buffer.alloc(size),
};

const sizes = [];
function describe(result, given) {
  if (typeof result === 'string') return JSON.stringify(result.length > 30 ? result.length : result);
  const shares = ArrayBuffer.isView(given) && result.buffer === given.buffer ? `at ${result.byteOffset - given.byteOffset}` : 'elsewhere';
  return `${result.constructor.name} ${result.length} ${shares} ${result.length > 30 ? 'long' : result.toString('latin1')}`;
}
const failure = (error) => `${error.name} ${error.code} ${error.message.replace(proc, '<proc>')}`;

async function main() {
  for (const [name, make] of Object.entries(choices)) {
    for (const file of ['ten', 'empty', proc]) {
      for (const encoding of [undefined, 'utf8', 'hex']) {
        if (encoding !== undefined && !['exact', 'larger', 'small', 'byFunction'].includes(name)) continue;
        const label = `${name} ${file === proc ? 'proc' : file} ${encoding ?? ''}`;
        const withSize = (buffer) => (typeof buffer === 'function' ? (...args) => {
          sizes.push(args.length, file === proc ? args[0] >= 0 : args[0]);
          return buffer(...args);
        } : buffer);
        const outcomes = [];
        const attempt = async (way, call) => {
          const buffer = withSize(make());
          try {
            outcomes.push(describe(await call(buffer), buffer));
          } catch (error) {
            outcomes.push(failure(error));
          }
        };
        await attempt('sync', (buffer) => fs.readFileSync(file, { buffer, encoding }));
        await attempt('callback', (buffer) => new Promise((resolve, reject) => {
          fs.readFile(file, { buffer, encoding }, (error, data) => (error ? reject(error) : resolve(data)));
        }));
        await attempt('promise', (buffer) => fs.promises.readFile(file, { buffer, encoding }));
        const handle = await fs.promises.open(file);
        await attempt('handle', (buffer) => handle.readFile({ buffer, encoding }));
        await handle.close();
        const fd = fs.openSync(file);
        await attempt('descriptor', (buffer) => fs.readFileSync(fd, { buffer, encoding }));
        fs.closeSync(fd);
        console.log(label, new Set(outcomes).size === 1 ? outcomes[0] : outcomes);
      }
    }
  }
  console.log(sizes.join(), kProcSize > 0);
  const whole = Buffer.alloc(800_000);
  console.log(fs.readFileSync('large', { buffer: whole }).equals(large), (await fs.promises.readFile('large', { buffer: whole.fill(0) })).equals(large));
  fs.readFile('large', { buffer: whole.fill(0) }, (error, data) => {
    console.log(error, data.equals(large), data.buffer === whole.buffer, data.length);
    fs.readFile('large', { buffer: whole, signal: AbortSignal.abort() }, (aborted) => console.log(aborted.code));
    fs.readFile('missing', { buffer: whole }, ({ code }) => console.log(code));
  });
}
main();
