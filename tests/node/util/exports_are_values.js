'use strict';
// What is loaded late looks like a value from the beginning, and can be replaced.
const modules = {
  buffer: ['Blob', 'File', 'resolveObjectURL', 'constants'], fs: ['Dir', 'opendir', 'opendirSync', 'promises'],
  util: ['TextDecoder', 'parseArgs', 'MIMEType', 'diff', 'aborted', 'debounce', 'styleText'], async_hooks: ['asyncWrapProviders'],
};
for (const [id, names] of Object.entries(modules)) {
  const exports = require(id);
  for (const name of names) {
    const { value, get, set, ...flags } = Object.getOwnPropertyDescriptor(exports, name);
    console.log(id, name, typeof value, typeof get, typeof set, Object.values(flags).join(), typeof value === 'function' ? `${value.name} ${value.length}` : '');
  }
}
console.log(Object.getOwnPropertyDescriptors(require('buffer').constants), require('fs').openAsBlob.length);
console.log(Object.keys(require('async_hooks').asyncWrapProviders).join(), Object.keys(require('fs').constants).slice(0, 30).join());
require('fs').opendir = 5;
console.log(require('fs').opendir, 'v8BreakIterator' in Intl, require('vm').runInNewContext('"v8BreakIterator" in Intl'));
const { styleText } = require('util');
for (const options of [null, 5, { validateStream: 1 }, { stream: {} }]) {
  try {
    console.log(JSON.stringify(styleText('red', 'x', options)));
  } catch (error) {
    console.log(error.code, error.message);
  }
}
try {
  styleText('nope', 'x', { validateStream: false });
} catch (error) {
  console.log(error.message);
}
for (const id of ['_stream_readable', 'node:_stream_duplex']) {
  try {
    require(id);
  } catch (error) {
    console.log(error.code, require('module').builtinModules.includes(id));
  }
}
