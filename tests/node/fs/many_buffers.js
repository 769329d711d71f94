// rondo-test: scratch
// More buffers than the kernel takes in one call, and none.
'use strict';
const fs = require('fs');

const kMany = 3000;
const text = Array.from({ length: kMany }, (_, i) => String(i % 10)).join('');
const buffers = () => Array.from(text, (digit) => Buffer.from(digit));
const show = (name, error, count) => console.log(name, error ? `${error.code} ${error.syscall}` : count);
const content = (name) => console.log(name, fs.readFileSync('file', 'latin1') === text, fs.statSync('file').size);

function attempt(name, call) {
  try {
    show(name, null, call());
  } catch (error) {
    show(name, error);
  }
}

function atOnce() {
  const fd = fs.openSync('file', 'w+');
  attempt('writevSync', () => fs.writevSync(fd, buffers()));
  content('behind it');
  attempt('writevSync at a position', () => fs.writevSync(fd, buffers(), 5000));
  console.log(fs.readFileSync('file', 'latin1') === `${text}${'\0'.repeat(2000)}${text}`);
  attempt('readvSync', () => fs.readvSync(fd, buffers(), 0));
  attempt('readvSync of none', () => fs.readvSync(fd, []));
  attempt('writevSync of none', () => fs.writevSync(fd, []));
  fs.closeSync(fd);
  const readOnly = fs.openSync('file', 'r');
  attempt('writevSync to a file that is open for reading', () => fs.writevSync(readOnly, buffers()));
  fs.closeSync(readOnly);
}

function withCallbacks(done) {
  const fd = fs.openSync('file', 'w+');
  const many = buffers();
  fs.writev(fd, many, (error, count, given) => {
    show('writev', error, count);
    console.log(given === many);
    content('behind it');
    fs.readv(fd, many, 10, (error, count, given) => {
      show('readv', error, count);
      console.log(given === many, Buffer.concat(many).toString('latin1', 0, 20));
      fs.readv(fd, [], (error, count) => {
        show('readv of none', error, count);
        fs.close(fd, done);
      });
    });
  });
}

async function withHandle() {
  const handle = await fs.promises.open('file', 'w+');
  console.log('handle.writev', (await handle.writev(buffers())).bytesWritten);
  content('behind it');
  console.log('at a position', (await handle.writev(buffers(), 0)).bytesWritten);
  content('behind it');
  console.log('handle.readv', (await handle.readv(buffers(), 0)).bytesRead);
  await handle.readv([]).catch((error) => show('handle.readv of none', error));
  await handle.close();
}

function asStream(options, done) {
  const stream = fs.createWriteStream('file', options);
  for (const buffer of buffers()) stream.write(buffer);
  stream.end();
  stream.on('error', (error) => show('stream', error));
  stream.on('close', () => {
    console.log('stream', stream.bytesWritten);
    content('behind it');
    done();
  });
}

atOnce();
withCallbacks(async () => {
  await withHandle();
  asStream({}, () => asStream({ start: 0 }, () => {}));
});
