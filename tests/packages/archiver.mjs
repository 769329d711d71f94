import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import * as archiver from 'archiver';

mkdirSync('tree/below', { recursive: true });
writeFileSync('tree/one.txt', 'one '.repeat(5000));
writeFileSync('tree/below/two.txt', 'two');
const date = new Date(Date.UTC(2026, 0, 2));

async function pack(Archive, options, name) {
  const archive = new Archive(options);
  const output = createWriteStream(name);
  const entries = [];
  archive.on('entry', (entry) => entries.push(entry.name));
  archive.on('error', (error) => console.log(error.message));
  archive.pipe(output);
  archive.append('text', { name: 'text.txt', date });
  archive.append(Buffer.from('bytes'), { name: 'bytes.bin', date });
  archive.directory('tree', 'packed', { date });
  await archive.finalize();
  await finished(output);
  console.log(name, entries.sort(), archive.pointer() === readFileSync(name).length);
}
await pack(archiver.ZipArchive, { zlib: { level: 9 } }, 'out.zip');
await pack(archiver.TarArchive, { gzip: true }, 'out.tar.gz');
console.log(readFileSync('out.zip').subarray(0, 4).toString('latin1'), gunzipSync(readFileSync('out.tar.gz')).length);
