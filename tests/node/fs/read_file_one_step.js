// rondo-test: scratch
'use strict';
// To read a small file is one operation, with a callback or a promise; its errors say what has failed.
const fs = require('fs');
const { createHook } = require('async_hooks');

const types = [];
createHook({ init(id, type) { if (type.startsWith('FS') || type === 'FILEHANDLE') types.push(type); } }).enable();

function tell(...values) {
  console.log(...values, types.splice(0));
}

fs.writeFileSync('file', 'text');
fs.writeFileSync('empty', '');
fs.mkdirSync('folder');
const show = (error) => [error.message, error.code, error.syscall, error.path, error.stack.split('\n').length];

fs.readFile('file', (error, content) => {
  tell(error, content, content.buffer.byteLength, content instanceof Buffer);
  fs.readFile('file', 'hex', async (hexError, hex) => {
    tell(hexError, hex);
    tell(await fs.promises.readFile('file'));
    tell(await fs.promises.readFile('file', { encoding: 'utf8' }));
    tell(await fs.promises.readFile(Buffer.from('empty')));
    await fs.promises.readFile('folder').catch((failed) => tell(show(failed)));
    await fs.promises.readFile('missing').catch((failed) => tell(show(failed)));
    fs.readFile('folder', (failed) => {
      tell(show(failed));
      fs.readFile('missing', (alsoFailed) => tell(show(alsoFailed)));
    });
  });
});
