// rondo-test: scratch
// A file that may not grow beyond a limit: a write that reaches it is short, the next one fails. What fitted is intact,
// and the failure is reported.
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const { Readable, pipeline } = require('stream');

const kLimit = 1000 * 512; // sh counts in blocks of 512 bytes
const data = Buffer.alloc(3 * 1024 * 1024);
for (let i = 0; i < data.length; i += 4) data.writeUInt32LE(i, i);

const ways = {
  writeFile: (done) => fs.writeFile('f', data, done),
  appendFile: (done) => fs.appendFile('f', data, done),
  promises: (done) => fs.promises.writeFile('f', data).then(() => done(null), done),
  handle: async (done) => {
    const handle = await fs.promises.open('f', 'w');
    await handle.writeFile(data).then(() => done(null), done);
    await handle.close();
  },
  writes: (done) => {
    const fd = fs.openSync('f', 'w');
    let written = 0;
    const next = () => fs.write(fd, data, written, data.length - written, null, (error, count) => {
      written += count;
      if (!error && written < data.length) return next();
      fs.closeSync(fd);
      console.log('written', written);
      done(error);
    });
    next();
  },
  writev: (done) => {
    const fd = fs.openSync('f', 'w');
    const parts = [];
    for (let i = 0; i < data.length; i += 65536) parts.push(data.subarray(i, i + 65536));
    const next = (left) => fs.writev(fd, left, (error, count) => {
      const rest = Buffer.concat(left).subarray(count);
      if (!error && rest.length > 0) return next([rest.subarray(0, 1000), rest.subarray(1000)]);
      fs.closeSync(fd);
      done(error);
    });
    next(parts);
  },
  stream: (done) => {
    const stream = fs.createWriteStream('f');
    stream.on('error', done).on('finish', () => done(null));
    stream.end(data);
  },
  corked: (done) => {
    const stream = fs.createWriteStream('f');
    stream.on('error', done).on('finish', () => done(null));
    stream.cork();
    for (let i = 0; i < data.length; i += 300000) stream.write(data.subarray(i, i + 300000));
    stream.uncork();
    stream.end();
  },
  pipeline: (done) => {
    const parts = [];
    for (let i = 0; i < data.length; i += 100000) parts.push(data.subarray(i, i + 100000));
    pipeline(Readable.from(parts, { objectMode: false }), fs.createWriteStream('f'), done);
  },
  copyFile: (done) => fs.copyFile('source', 'f', done),
  sync: (done) => {
    try {
      fs.writeFileSync('f', data);
      done(null);
    } catch (error) {
      done(error);
    }
  },
};

if (process.argv[2]) {
  process.on('SIGXFSZ', () => {});
  ways[process.argv[2]]((error) => console.log(error ? `${error.code} ${error.syscall}` : 'no error'));
} else {
  fs.writeFileSync('source', data);
  for (const way of Object.keys(ways)) {
    fs.rmSync('f', { force: true });
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', 'ulimit -f 1000; exec "$0" "$@"', process.execPath, __filename, way]);
    const file = fs.existsSync('f') ? fs.readFileSync('f') : undefined;
    console.log(way, stdout.toString().trim(), stderr.toString());
    if (file) console.log(' ', file.length === kLimit, file.equals(data.subarray(0, file.length)));
  }
}
