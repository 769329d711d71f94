// rondo-test: scratch env=UV_THREADPOOL_SIZE=1
// What looks at a file does not overtake a write that was begun before: with one thread, it waits for it.
const fs = require('fs');

const fd = fs.openSync('file', 'w');
let size = 0;
function write(then) {
  fs.write(fd, 'more text, ', (error, count) => {
    if (error) throw error;
    size += count;
  });
  then();
}

const looks = [
  (done) => fs.readFile('file', 'utf8', (error, text) => done(error ?? text.length)),
  (done) => fs.promises.readFile('file', 'utf8').then((text) => done(text.length)),
  (done) => fs.stat('file', (error, status) => done(error ?? status.size)),
  (done) => fs.lstat('file', (error, status) => done(error ?? status.size)),
  (done) => fs.fstat(fd, (error, status) => done(error ?? status.size)),
  (done) => fs.promises.stat('file').then((status) => done(status.size)),
];

function run(i) {
  if (i === 20 * looks.length) return console.log('all saw what was written');
  write(() => looks[i % looks.length]((seen) => {
    if (seen !== size) console.log(`look ${i % looks.length} saw ${seen} of ${size}`);
    run(i + 1);
  }));
}
run(0);
