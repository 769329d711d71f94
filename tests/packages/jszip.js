'use strict';
const { createReadStream, createWriteStream, readFileSync, writeFileSync } = require('node:fs');
const { pipeline } = require('node:stream/promises');
const JSZip = require('jszip');

async function main() {
  const zip = new JSZip();
  const date = new Date(Date.UTC(2026, 0, 2));
  zip.file('hello.txt', 'hello '.repeat(1000), { date });
  zip.folder('images').file('dot.bin', Buffer.from([1, 2, 3]), { date });
  zip.file('later.txt', Promise.resolve('from a promise'), { date });

  const bytes = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  console.log(bytes.length);
  writeFileSync('a.zip', bytes);
  // A stream can be read once.
  zip.file('stream.txt', createReadStream(__filename), { date });
  await pipeline(zip.generateNodeStream({ type: 'nodebuffer', streamFiles: true }), createWriteStream('b.zip'));

  for (const name of ['a.zip', 'b.zip']) {
    const back = await JSZip.loadAsync(readFileSync(name));
    for (const file of Object.values(back.files)) console.log(name, file.name, file.dir, (await file.async('string')).length);
    console.log(await back.file('images/dot.bin').async('uint8array'), await back.file('later.txt').async('base64'));
  }
  await JSZip.loadAsync(bytes.subarray(0, 200)).catch((error) => console.log(error.message));
}
main();
