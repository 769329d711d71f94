// rondo-test: scratch
// A copy has the time of access of its source, and an empty one that of modification too. Recorded from Node 26: 20 leaves
// both alone.
'use strict';
const fs = require('fs');

// In seconds, if it is one that was set.
const isOld = (time) => (time < 1e12 ? time / 1000 : 'now');

function copy(way, ...args) {
  if (way === 'sync') return fs.copyFileSync(...args);
  if (way === 'promise') return fs.promises.copyFile(...args);
  return new Promise((resolve, reject) => {
    fs.copyFile(...args, (error) => (error ? reject(error) : resolve()));
  });
}

(async () => {
  for (const way of ['sync', 'callback', 'promise']) {
    for (const content of ['', 'text']) {
      for (const before of [undefined, '', 'what was there before']) {
        for (const mode of [0, fs.constants.COPYFILE_EXCL, fs.constants.COPYFILE_FICLONE]) {
          fs.rmSync('target', { force: true });
          fs.rmSync('source', { force: true });
          fs.writeFileSync('source', content);
          fs.utimesSync('source', 100.5, 200.25);
          if (before !== undefined) fs.writeFileSync('target', before);
          const name = `${way}, ${content.length} bytes onto ${before?.length}, mode ${mode}:`;
          try {
            await copy(way, 'source', 'target', mode);
            const { atimeMs, mtimeMs } = fs.statSync('target');
            console.log(name, isOld(atimeMs), isOld(mtimeMs), fs.readFileSync('target', 'utf8') === content);
          } catch (error) {
            const { atimeMs, mtimeMs } = fs.statSync('target');
            console.log(name, error.code, isOld(atimeMs), isOld(mtimeMs));
          }
        }
      }
    }
    fs.writeFileSync('itself', 'content');
    fs.utimesSync('itself', 100, 200);
    await copy(way, 'itself', 'itself');
    console.log(way, 'onto itself:', isOld(fs.statSync('itself').mtimeMs), fs.readFileSync('itself', 'utf8'));
  }
})();
