// rondo-test: option=--experimental-stream-iter option=--no-warnings
// node:stream/iter and node:zlib/iter.
const { Stream, push, pull, pullSync, from, fromSync, text, textSync, bytes, array, pipeTo, merge, broadcast, share, tap,
  fromReadable, toReadable } = require('node:stream/iter');
const zlib = require('node:zlib/iter');
const { Readable } = require('node:stream');
const { builtinModules } = require('node:module');
console.log(Object.keys(Stream), Object.keys(zlib), builtinModules.includes('stream/iter'));
(async () => {
  const { writer, readable } = push();
  writer.write('hello ');
  writer.write('world');
  writer.end();
  console.log(await text(readable));
  console.log(await text(pull(from(['a', 'b']), (chunks) => chunks && chunks.map((c) => Buffer.from(`${Buffer.from(c)}!`)))));
  console.log(textSync(pullSync(fromSync('sync'), (chunks) => chunks)));
  const data = Buffer.from('compressed '.repeat(1000));
  for (const name of ['Gzip', 'Deflate', 'Brotli', 'Zstd']) {
    const packed = await bytes(pull(from(data), zlib[`compress${name}`]()));
    const back = await bytes(pull(from(packed), zlib[`decompress${name}`]()));
    console.log(name, packed.length < data.length, Buffer.from(back).equals(data));
  }
  await bytes(pull(from(Buffer.from('garbage')), zlib.decompressGzip())).catch((error) => console.log(error.code, error.message));
  console.log((await array(merge(from('x'), from('y')))).flat().length);
  const got = [];
  await pipeTo(from(['p', 'q']), { write(chunk) { got.push(Buffer.from(chunk).toString()); }, end() { got.push('end'); } });
  console.log(got);
  const controller = new AbortController();
  controller.abort(new Error('stop'));
  await text(from('x'), { signal: controller.signal }).catch((error) => console.log(error.message));
  console.log(await text(fromReadable(Readable.from([Buffer.from('r1'), Buffer.from('r2')]))));
  console.log(Buffer.concat(await toReadable(from(['t1', 't2'])).toArray()).toString());
  const shared = share(from(['one', 'two']));
  console.log(await Promise.all([text(shared.pull()), text(shared.pull())]));
  const { writer: all, broadcast: channel } = broadcast();
  const listeners = [text(channel.push()), text(channel.push())];
  await all.write('to all');
  await all.end();
  console.log(await Promise.all(listeners));
  try { from(Symbol('x')); } catch (error) { console.log(error.code); }
})().catch((error) => console.log(error));
