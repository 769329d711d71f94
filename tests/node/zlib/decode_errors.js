'use strict';
// The errors of streams: which events, with which properties.
const zlib = require('node:zlib');
(async () => {
  for (const name of ['Gunzip', 'Inflate', 'InflateRaw', 'Unzip', 'BrotliDecompress', 'ZstdDecompress']) {
    await new Promise((resolve) => {
      const stream = new zlib[name]();
      stream.on('error', (error) => console.log(name, error.name, error.code, error.errno, error.message, Object.keys(error).join()));
      stream.on('end', () => console.log('never'));
      stream.on('finish', () => console.log('never'));
      stream.on('close', () => { console.log(name, 'close', stream._handle, stream.destroyed); resolve(); });
      stream.on('data', () => {});
      stream.write(Buffer.from('this is not compressed data, I am afraid'), (error) => console.log(name, 'write', error?.code));
    });
    await new Promise((resolve) => zlib[name[0].toLowerCase() + name.slice(1)]('neither is this', (error, result) => {
      console.log(name, error.code, error.errno, error.message, result);
      resolve();
    }));
  }
})();
