// rondo-test: scratch
// Recursive readdir of paths in bytes, in other encodings, and with names that are not valid UTF-8. Recorded from Node 26:
// 20 fails at some.
'use strict';
const fs = require('fs');

function show(value) {
  if (Buffer.isBuffer(value)) return `bytes ${value.toString('latin1')}`;
  if (value instanceof fs.Dirent) return `${show(value.name)} in ${show(value.parentPath)}`;
  return value;
}

(async () => {
  fs.mkdirSync('plain/sub/deep', { recursive: true });
  fs.writeFileSync('plain/x', '');
  fs.writeFileSync('plain/sub/y', '');
  fs.symlinkSync('plain', 'link');
  fs.mkdirSync(Buffer.from('odd/a\xff/b', 'latin1'), { recursive: true });
  fs.writeFileSync(Buffer.from('odd/a\xff/b/c\xfe', 'latin1'), '');
  for (const path of ['plain', 'link', './plain/', 'plain//', 'odd']) {
    for (const given of [path, Buffer.from(path)]) {
      for (const encoding of [undefined, 'utf8', 'buffer', 'hex', 'latin1']) {
        for (const withFileTypes of [false, true]) {
          const options = { recursive: true, encoding, withFileTypes };
          const results = [
            fs.readdirSync(given, options),
            await new Promise((resolve, reject) => {
              fs.readdir(given, options, (error, found) => (error ? reject(error) : resolve(found)));
            }),
            await fs.promises.readdir(given, options),
          ].map((found) => found.map(show).sort().join('; '));
          console.log(show(given), encoding, withFileTypes, results[0], results.every((text) => text === results[0]));
        }
      }
    }
  }
})();
