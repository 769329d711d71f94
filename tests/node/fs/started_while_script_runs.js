// rondo-test: scratch
// An operation that was begun proceeds while the script runs: only its callback waits for the loop.
'use strict';
const { execSync } = require('child_process');
const fs = require('fs');

const pause = new Int32Array(new SharedArrayBuffer(4));

// Until it is so, without returning to the loop. `wait` is called between two looks.
function until(done, wait) {
  const end = Date.now() + 20_000;
  while (!done()) {
    if (Date.now() > end) return 'never';
    wait();
  }
  return 'done';
}

const waits = {
  'busy': () => {},
  'Atomics.wait': () => { Atomics.wait(pause, 0, 0, 5); },
  'execSync': () => { execSync('sleep 0.01'); },
};
const gone = (path) => () => !fs.existsSync(path);
const there = (path) => () => fs.existsSync(path);

let called = 0;
const callback = (error) => {
  if (error) throw error;
  called++;
};

for (const [name, wait] of Object.entries(waits)) {
  fs.writeFileSync('old', 'content');
  fs.writeFileSync('other', 'x');
  fs.mkdirSync('folder');
  const fd = fs.openSync('file', 'w+');
  const report = (what, done) => console.log(name, what, until(done, wait));

  fs.write(fd, 'written', callback);
  report('write', () => fs.readFileSync('file', 'utf8') === 'written');
  fs.write(fd, 'W', 0, callback);
  report('write at', () => fs.readFileSync('file', 'utf8') === 'Written');
  fs.writev(fd, [Buffer.from(' and'), Buffer.from(' more')], callback);
  report('writev', () => fs.readFileSync('file', 'utf8') === 'Written and more');
  const buffer = Buffer.alloc(7);
  fs.read(fd, buffer, 0, 7, 0, callback);
  report('read', () => buffer.toString() === 'Written');
  fs.ftruncate(fd, 3, callback);
  report('ftruncate', () => fs.readFileSync('file', 'utf8') === 'Wri');
  fs.mkdir('made', callback);
  report('mkdir', there('made'));
  fs.rename('old', 'new', callback);
  report('rename', there('new'));
  fs.link('new', 'link', callback);
  report('link', there('link'));
  fs.symlink('new', 'symlink', callback);
  report('symlink', there('symlink'));
  fs.copyFile('new', 'copy', callback);
  report('copyFile', there('copy'));
  fs.unlink('copy', callback);
  report('unlink', gone('copy'));
  fs.rmdir('folder', callback);
  report('rmdir', gone('folder'));
  fs.open('opened', 'w', (error, opened) => {
    callback(error);
    fs.closeSync(opened);
  });
  report('open', there('opened'));
  fs.chmod('other', 0o600, callback);
  report('chmod', () => (fs.statSync('other').mode & 0o777) === 0o600);
  fs.promises.unlink('other').then(callback);
  report('promises.unlink', gone('other'));
  fs.writeFile('whole', 'x', callback);
  report('writeFile', there('whole'));
  fs.close(fd, callback);
  report('close', () => {
    try {
      fs.fstatSync(fd);
      return false;
    } catch {
      return true;
    }
  });
  console.log('callbacks until now:', called);
  for (const path of fs.readdirSync('.')) fs.rmSync(path, { recursive: true });
}

process.on('exit', () => console.log('callbacks:', called));
// POLL-6
