// rondo-test: option=--experimental-stream-iter option=--no-warnings scratch
'use strict';
// FileHandle.prototype.pull(), pullSync() and writer().
const fs = require('node:fs/promises');
const { bytes, text } = require('node:stream/iter');

const upper = (chunks) => chunks === null ? null : chunks.map((chunk) => Buffer.from(`${Buffer.from(chunk)}`.toUpperCase()));

async function attempt(label, run) {
  try {
    console.log(label, await run());
  } catch (error) {
    console.log(label, error?.name, error?.code, error?.message ?? error);
  }
}

(async () => {
  const out = await fs.open('a.txt', 'w+');
  const writer = out.writer({ start: 0 });
  console.log(Object.getPrototypeOf(writer), Reflect.ownKeys(writer).map(String).sort().join());
  await attempt('locked', () => out.pull());
  await attempt('write', () => writer.write('hello '));
  await attempt('writev', () => writer.writev(['big ', Buffer.from('world')]));
  console.log(writer.writeSync('!'), writer.writevSync(['?', '.']), writer.writeSync(''));
  await attempt('wrong', () => writer.write(5));
  await attempt('aborted', () => writer.write('x', { signal: AbortSignal.abort('stop') }));
  await attempt('end', () => writer.end());
  await attempt('end again', () => writer.end());
  console.log(writer.endSync(), writer.writeSync('x'));
  await attempt('write at the end', () => writer.write('x'));
  for (const options of [{ autoClose: 1 }, { start: -2 }, { start: 1.5 }, { limit: 0 }, { chunkSize: 0 }]) {
    await attempt('pull', () => typeof out.pull(options));
    await attempt('writer', () => { const w = out.writer(options); w.fail(); return typeof w; });
  }
  const limited = out.writer({ start: 18, limit: 4 });
  await attempt('too much', () => limited.write('12345'));
  console.log(limited.writeSync('12345'), limited.writeSync('12'), limited.writeSync('345'));
  await attempt('the rest', () => limited.write('34'));
  console.log(limited.endSync());

  for (const options of [{}, { start: 6 }, { start: 6, limit: 5 }, { chunkSize: 3, start: 0, limit: 7 }]) {
    const pieces = [];
    for await (const batch of out.pull({ start: 0, ...options })) pieces.push(batch.map((chunk) => `${chunk}`).join('+'));
    const sync = [];
    for (const batch of out.pullSync({ start: 0, ...options })) sync.push(batch.map((chunk) => `${chunk}`).join('+'));
    console.log(JSON.stringify(options), pieces, sync);
  }
  console.log(await text(out.pull(upper, { start: 0 })));
  await attempt('signal', () => text(out.pull({ start: 0, signal: AbortSignal.abort(new Error('no')) })));
  for await (const batch of out.pull({ start: 0, chunkSize: 2 })) { console.log(batch.length); break; }
  for (const batch of out.pullSync({ start: 0, chunkSize: 2 })) { console.log(batch.length); break; }
  console.log((await bytes(out.pull({ start: 0, autoClose: true }))).length, out.fd);
  await attempt('closed', () => out.pull());
  await attempt('closed', () => out.pullSync());
  await attempt('closed', () => out.writer());

  const failing = await fs.open('a.txt', 'w');
  const broken = failing.writer({ autoClose: true });
  const pending = broken.write('abc');
  broken.fail(new Error('given up'));
  await attempt('pending', () => pending);
  await attempt('after', () => broken.write('d'));
  await attempt('end', () => broken.end());
  const reading = await fs.open('.', 'r');
  await attempt('a folder', () => bytes(reading.pull()));
  await attempt('a folder', () => [...reading.pullSync()]);
  await reading.close();
  const last = await fs.open('b.txt', 'w');
  {
    await using disposed = last.writer({ autoClose: true });
    await disposed.write('z');
  }
  console.log(last.fd, await fs.readFile('b.txt', 'utf8'));
})();
