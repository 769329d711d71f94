// rondo-test: option=--no-warnings
// A WebAssembly program that writes a line, on standard output, and ends with a code.
const { WASI } = require('wasi');

const name = (text) => [text.length, ...Buffer.from(text)];
const section = (id, ...content) => [id, content.flat(Infinity).length, ...content.flat(Infinity)];
const i32 = 0x7f;
const constant = (number) => [0x41, ...(number < 64 ? [number] : [(number & 0x7f) | 0x80, number >> 7])];
const line = 'written by WebAssembly\n';
const text = Buffer.from(line);
const program = (code) => new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  // Types: fd_write, proc_exit, _start.
  ...section(1, 3, [0x60, 4, i32, i32, i32, i32, 1, i32], [0x60, 1, i32, 0], [0x60, 0, 0]),
  ...section(2, 2, [name('wasi_snapshot_preview1'), name('fd_write'), 0, 0],
    [name('wasi_snapshot_preview1'), name('proc_exit'), 0, 1]),
  ...section(3, 1, 2),
  ...section(5, 1, 0, 1),
  ...section(7, 2, [name('memory'), 2, 0], [name('_start'), 0, 2]),
  ...(() => {
    const body = [0, constant(1), constant(0), constant(1), constant(8), 0x10, 0, 0x1a, constant(code), 0x10, 1, 0x0b]
      .flat();
    return section(10, 1, body.length, body);
  })(),
  ...section(11, 2, [0, constant(0), 0x0b, 8, 16, 0, 0, 0, text.length, 0, 0, 0],
    [0, constant(16), 0x0b, text.length, ...text]),
]);

async function run(code, options) {
  const wasi = new WASI({ version: 'preview1', ...options });
  const { instance } = await WebAssembly.instantiate(program(code), wasi.getImportObject());
  console.log('exit code', wasi.start(instance));
}

(async () => {
  await run(0);
  await run(7);
  process.on('exit', () => console.log('exit is not emitted'));
  await run(9, { returnOnExit: false });
  console.log('not reached');
})();
