// rondo-test: scratch
// Descriptors with O_NONBLOCK: what would wait fails with EAGAIN, or is 0 bytes of a FIFO without a writer.
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;

execFileSync('mkfifo', ['fifo', 'full']);
const read = fs.openSync('fifo', O_RDONLY | O_NONBLOCK);
const buffer = Buffer.alloc(10);

function attempt(what, call) {
  try {
    console.log(what, call());
  } catch (error) {
    console.log(what, error.code, error.syscall, error.message);
  }
}
const told = (what) => new Promise((resolve) => {
  what((error, value) => {
    console.log(error ? `${error.code} ${error.syscall} ${error.message}` : 'no error', value);
    resolve();
  });
});

async function readInAllWays(state) {
  console.log(`---- ${state}`);
  attempt('readSync', () => fs.readSync(read, buffer));
  attempt('readvSync', () => fs.readvSync(read, [buffer, Buffer.alloc(3)]));
  attempt('readFileSync', () => fs.readFileSync(read, 'utf8'));
  await told((done) => fs.read(read, buffer, 0, 10, null, done));
  await told((done) => fs.readv(read, [Buffer.alloc(2), Buffer.alloc(2)], done));
  const handle = await fs.promises.open('fifo', O_RDONLY | O_NONBLOCK);
  await handle.read(buffer, 0, 10, null).then(({ bytesRead }) => console.log('handle', bytesRead),
    (error) => console.log('handle', error.code));
  await handle.close();
  await new Promise((resolve) => {
    fs.createReadStream('fifo', { flags: O_RDONLY | O_NONBLOCK })
      .on('data', (data) => console.log('stream data', data.length))
      .on('end', () => console.log('stream end'))
      .on('error', (error) => console.log('stream', error.code))
      .on('close', resolve);
  });
}

(async () => {
  await readInAllWays('no writer');
  const writer = fs.openSync('fifo', O_WRONLY);
  await readInAllWays('a silent writer');
  fs.writeSync(writer, 'abc');
  attempt('readSync', () => fs.readSync(read, buffer));
  fs.writeSync(writer, 'abc');
  await told((done) => fs.read(read, Buffer.alloc(10), 0, 10, null, done));
  fs.closeSync(writer);
  await readInAllWays('the writer has gone');

  console.log('---- writing');
  const full = fs.openSync('full', O_RDWR | O_NONBLOCK);
  const much = Buffer.alloc(1 << 20);
  attempt('writeSync', () => fs.writeSync(full, much));
  attempt('writeSync', () => fs.writeSync(full, 'x'));
  attempt('writevSync', () => fs.writevSync(full, [buffer, buffer]));
  await told((done) => fs.write(full, 'x', done));
  await told((done) => fs.write(full, buffer, done));
  await told((done) => fs.writev(full, [buffer, buffer], (error, count) => done(error, count)));
  await told((done) => fs.writeFile(full, 'x', done));

  console.log('---- a regular file waits all the same');
  fs.writeFileSync('file', 'content');
  const file = fs.openSync('file', O_RDWR | O_NONBLOCK);
  attempt('readSync', () => fs.readSync(file, buffer, 0, 10, 0));
  await told((done) => fs.read(file, Buffer.alloc(10), 0, 10, null, (error, count) => done(error, count)));
  await told((done) => fs.write(file, 'more', 3, done));
  console.log(fs.readFileSync('file', 'utf8'));
})();
