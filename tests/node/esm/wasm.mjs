// rondo-test: option=--no-warnings
// (module (import "./host.mjs" "log" (func (param i32))) (func (export "run") i32.const 42 call 0)
//   (global (export "seven") i32 (i32.const 7)))
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';

const text = (word) => [word.length, ...Buffer.from(word)];
const section = (id, bytes) => [id, bytes.length, ...bytes];
const bytes = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  ...section(1, [2, 0x60, 1, 0x7f, 0, 0x60, 0, 0]),
  ...section(2, [1, ...text('./host.mjs'), ...text('log'), 0, 0]),
  ...section(3, [1, 1]),
  ...section(6, [1, 0x7f, 0, 0x41, 7, 0x0b]),
  ...section(7, [2, ...text('run'), 0, 1, ...text('seven'), 3, 0]),
  ...section(10, [1, 6, 0, 0x41, 42, 0x10, 0, 0x0b]),
]);
const folder = mkdtempSync(join(tmpdir(), 'wasm-'));
try {
  writeFileSync(join(folder, 'a.wasm'), bytes);
  writeFileSync(join(folder, 'host.mjs'), 'export const log = (value) => console.log("logged", value);');
  const url = pathToFileURL(join(folder, 'a.wasm')).href;
  const module = await import(url);
  console.log(Object.keys(module), module.seven);
  module.run();
  const source = await import.source(url);
  console.log(source instanceof WebAssembly.Module, WebAssembly.Module.exports(source).length);
  await import.source('./fixtures/adds.ts').catch(({ name, code }) => console.log(name, code));
} finally {
  rmSync(folder, { recursive: true });
}
