// rondo-test: scratch
// ZIP archives in memory: made, read, changed, refused.
const {
  ZipBuffer, ZipEntry, createZipArchive, createZipArchiveSync, crc32, getMaxZipContentSize, setMaxZipContentSize,
} = require('node:zlib');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
const when = new Date(2026, 0, 2, 3, 4, 6);
const entries = [
  ZipEntry.createSync('a.txt', Buffer.from('hello '.repeat(100)), { modified: when }),
  ZipEntry.createSync('folder/', Buffer.alloc(0), { modified: when }),
  ZipEntry.createSync('folder/b.bin', Buffer.from([0, 1, 2, 255]), { modified: when, method: 'store' }),
];
for (const entry of entries) console.log(entry.name, entry.method, entry.compressedSize, entry.size);
(async () => {
  const parts = [];
  for await (const part of createZipArchive(entries)) parts.push(part);
  const archive = Buffer.concat(parts);
  console.log(archive.length, crc32(archive), Buffer.concat([...createZipArchiveSync(entries)]).equals(archive));
  const zip = new ZipBuffer(archive);
  console.log([...zip.keys()], zip.size, zip.has('a.txt'), zip.has('none'));
  console.log((await zip.get('a.txt').content()).length, zip.get('folder/b.bin').contentSync());
  attempt('none', () => zip.get('none'));
  attempt('read', () => new ZipBuffer(Buffer.from('no archive at all, but long enough to be looked at')));
  attempt('empty', () => new ZipBuffer(Buffer.alloc(0)));
  attempt('type', () => new ZipBuffer('text'));
  const broken = Buffer.from(archive);
  broken[60] ^= 0xff;
  await new ZipBuffer(broken).get('a.txt').content().catch((error) => console.log(error.code, error.message));
  attempt('largest', () => zip.get('a.txt').contentSync({ maxSize: 10 }));
  console.log(getMaxZipContentSize(), setMaxZipContentSize(1000), getMaxZipContentSize());
  attempt('name', () => ZipEntry.createSync('', Buffer.alloc(1)));
  attempt('name', () => ZipEntry.createSync('../up', Buffer.alloc(1)).name);
  for (let cut = 0; cut < archive.length; cut += 40) attempt(cut, () => new ZipBuffer(archive.subarray(0, cut)).size);
})();
