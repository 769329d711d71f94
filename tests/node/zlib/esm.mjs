import zlib, { gzipSync, gunzipSync, constants, createGzip, crc32, ZstdCompress } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
console.log(gunzipSync(gzipSync('module')).toString(), zlib.gzipSync === gzipSync, constants.Z_BEST_SPEED, crc32('x'), ZstdCompress.name);
const chunks = [];
await pipeline(Readable.from(['a', 'b', 'c']), createGzip(), async function*(source) {
  for await (const chunk of source) chunks.push(chunk);
});
console.log(gunzipSync(Buffer.concat(chunks)).toString());
