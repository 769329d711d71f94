// rondo-test: scratch
// ZIP archives in files.
const fs = require('node:fs');
const { ZipFile, ZipEntry, zipFiles } = require('node:zlib');
fs.mkdirSync('in/deep', { recursive: true });
fs.writeFileSync('in/one.txt', 'one\n'.repeat(5000));
fs.writeFileSync('in/deep/two.txt', 'two');
(async () => {
  const parts = [];
  for await (const part of zipFiles([['in/one.txt', 'one.txt'], ['in/deep/two.txt', 'deep/two.txt']])) parts.push(part);
  fs.writeFileSync('made.zip', Buffer.concat(parts));
  const zip = await ZipFile.open('made.zip');
  const names = [...zip.keys()].sort();
  console.log(names.length, zip.size);
  for (const name of names) {
    const entry = await zip.get(name);
    console.log(name, entry.size, (await entry.content()).length);
  }
  await zip.close();
  await zip.get(names[0]).catch((error) => console.log(error.code));
  const sync = ZipFile.openSync('made.zip');
  console.log(sync.size);
  sync.closeSync();
  await ZipFile.open('none.zip').catch((error) => console.log(error.code, error.syscall));
  fs.writeFileSync('bad.zip', 'PK'.repeat(100));
  await ZipFile.open('bad.zip').catch((error) => console.log(error.code, error.message));
  const streamed = ZipEntry.createStream('s.txt', (async function*() { yield Buffer.from('streamed'); })());
  console.log(streamed.constructor.name, streamed.name);
})().catch((error) => console.log(error.code, error.message));
