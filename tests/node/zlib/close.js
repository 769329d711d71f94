'use strict';
const zlib = require('node:zlib');
const stream = zlib.createGzip();
stream.on('close', () => console.log('close event', stream._closed));
stream.close(() => {
  console.log('callback', stream.destroyed, stream.closed);
  stream.close(() => console.log('again'));
  stream.write('x', (error) => console.log('write', error.code));
});
stream.on('error', (error) => console.log('error', error.code));
console.log(stream._closed, stream.destroyed);
const other = zlib.createDeflate();
other.end('data');
other.resume();
other.on('end', () => { console.log('end'); other.close(); });
other.on('close', () => console.log('closed once'));
