// rondo-test: scratch
'use strict';
// repl.setupHistory() with an object of options; the completion of names that are being declared.
const fs = require('node:fs');
const { PassThrough } = require('node:stream');
const repl = require('node:repl');

fs.writeFileSync('history', 'three\ntwo\none\n');

function start() {
  return repl.start({ input: new PassThrough(), output: new PassThrough(), terminal: true, prompt: '> ' });
}

function withOptions(options, callback) {
  return new Promise((resolve) => {
    const server = start();
    const loaded = (error, given) => {
      console.log(error, given === server, [...server.history].slice(0, 3));
      server.close();
      server.on('exit', resolve);
    };
    if (callback) server.setupHistory(options, loaded);
    else server.setupHistory({ ...options, onHistoryFileLoaded: loaded });
  });
}

(async () => {
  await withOptions('history', true);
  await withOptions({ filePath: 'history', size: 10 }, true);
  await withOptions({ filePath: 'history', size: 2 }, false);
  await withOptions({ filePath: '' }, false);
  await withOptions({ filePath: ' ', removeHistoryDuplicates: true }, true);
  const server = start();
  for (const size of ['x', -1, null]) {
    try {
      server.setupHistory({ filePath: 'history', size }, () => {});
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  for (const text of ['let a', 'var pro', 'let a, pro', 'var a = 1, con', 'x; let pro', 'let a = proces', 'let a; proces', 'letter', 'outlet.a']) {
    server.complete(text, (error, [found, filter]) => console.log(JSON.stringify(text), found.filter((name) => !/^a/i.test(name)), filter));
  }
  for (const text of ["require('n", "require('node:s", "import('s"]) {
    server.complete(text, (error, [found]) => console.log(text, found.slice(found.indexOf('') - 1).filter((name) => !/ffi|dtls|quic|vfs/.test(name)).join()));
  }
  server.close();
})();
