// rondo-test: scratch
'use strict';
// Where writeFile() and appendFile() write: at the beginning of a file, at its end, or to what has no places.
const fs = require('fs');
const { execFileSync, spawn } = require('child_process');
const { once } = require('events');

const callbacks = {
  writeFile: (...args) => new Promise((resolve, reject) => { fs.writeFile(...args, (error) => (error ? reject(error) : resolve())); }),
  appendFile: (...args) => new Promise((resolve, reject) => { fs.appendFile(...args, (error) => (error ? reject(error) : resolve())); }),
};
const show = (title) => console.log(' ', title, JSON.stringify(fs.readFileSync('file', 'utf8')));
// More than fits into a pipe, and than is written at once.
const much = Buffer.alloc(3_000_000).map((_, i) => i % 251);

async function files({ writeFile, appendFile }) {
  fs.writeFileSync('file', '0123456789');
  await writeFile('file', 'ab', { flag: 'r+' });
  show('r+');
  for (const flag of ['a', 'a+', 'as', fs.constants.O_WRONLY | fs.constants.O_APPEND]) await writeFile('file', `<${typeof flag === 'number' ? 'n' : flag}>`, { flag });
  show('append');
  await appendFile('file', '!');
  show('appendFile');
  await writeFile('file', '');
  show('empty');
  await Promise.all(Array.from({ length: 40 }, (_, i) => appendFile('file', `${String.fromCharCode(65 + i)}`)));
  console.log('  at once', fs.readFileSync('file', 'latin1').split('').sort().join(''));
  await writeFile('file', much);
  console.log('  much', fs.readFileSync('file').equals(much));
  await appendFile('file', much);
  console.log('  twice', fs.readFileSync('file').equals(Buffer.concat([much, much])));
}

async function streams({ writeFile, appendFile }) {
  for (const [name, write] of [['writeFile', writeFile], ['appendFile', appendFile]]) {
    const reader = spawn('cat', ['fifo'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks = [];
    reader.stdout.on('data', (chunk) => chunks.push(chunk));
    // Both may be reported in one iteration, in either order.
    await Promise.all([write('fifo', much), once(reader, 'close')]);
    console.log(' ', name, 'fifo', Buffer.concat(chunks).equals(much));
  }
  await writeFile('/dev/stdout', '  to the standard output\n');
  await writeFile('/dev/null', much);
  await writeFile('/dev/full', 'x').catch((error) => console.log(' ', error.message));
  const before = fs.readFileSync('/proc/self/comm');
  await writeFile('/proc/self/comm', 'renamed');
  console.log(' ', JSON.stringify(fs.readFileSync('/proc/self/comm', 'utf8')));
  await writeFile('/proc/self/comm', before);
}

(async () => {
  execFileSync('mkfifo', ['fifo']);
  for (const [name, functions] of [['callbacks', callbacks], ['promises', fs.promises]]) {
    console.log(name);
    await files(functions);
    await streams(functions);
  }
  console.log('descriptors');
  const fd = fs.openSync('file', 'w+');
  fs.writeSync(fd, 'begin ');
  await callbacks.writeFile(fd, 'middle ');
  fs.writeSync(fd, 'end');
  fs.closeSync(fd);
  show('descriptor');
  console.log('iterables');
  await fs.promises.writeFile('file', ['a', 'b', Buffer.from('c')]);
  show('list');
  await fs.promises.writeFile('file', (async function* parts() { yield 'x'; yield ''; yield 'yz'; })(), { flag: 'r+' });
  show('r+');
  await fs.promises.appendFile('file', ['1', '2']);
  show('appended');
  const handle = await fs.promises.open('file', 'r+');
  await handle.write('__');
  await handle.writeFile('==');
  await handle.appendFile('++');
  await handle.close();
  show('handle');
})();
