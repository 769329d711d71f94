import { createReadStream, createWriteStream, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as tar from 'tar';

mkdirSync('in/deep/er', { recursive: true });
writeFileSync('in/a.txt', 'a'.repeat(100000));
writeFileSync('in/deep/er/b.txt', 'b', { mode: 0o600 });
writeFileSync(`in/${'long'.repeat(40)}.txt`, 'a long name');
symlinkSync('a.txt', 'in/link');

await tar.create({ gzip: true, file: 'a.tgz', portable: true, cwd: 'in' }, ['.']);
await tar.create({ file: 'b.tar', portable: true, sync: true, cwd: 'in' }, ['a.txt', 'deep']);
console.log(readFileSync('b.tar').length);
const names = [];
await tar.list({ file: 'a.tgz', onReadEntry: (entry) => names.push(`${entry.type} ${entry.path} ${entry.size}`) });
console.log(names.sort());

for (const [file, folder] of [['a.tgz', 'out1'], ['b.tar', 'out2']]) {
  mkdirSync(folder);
  await pipeline(createReadStream(file), tar.extract({ cwd: folder }));
  console.log(readdirSync(folder, { recursive: true }).sort());
}
console.log(readFileSync('out1/link', 'utf8').length, (statSync('out1/deep/er/b.txt').mode & 0o777).toString(8));
await pipeline(tar.create({ cwd: 'in' }, ['a.txt']), createWriteStream('c.tar'));
await tar.replace({ file: 'c.tar', cwd: 'in' }, ['deep']);
const replaced = [];
tar.list({ file: 'c.tar', sync: true, onReadEntry: (entry) => replaced.push(entry.path) });
console.log(replaced);
await tar.extract({ file: 'no.tar' }).catch((error) => console.log(error.code));
