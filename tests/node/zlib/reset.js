'use strict';
const zlib = require('node:zlib');
const packed = zlib.deflateSync('hello');
const stream = zlib.createInflate();
let count = 0;
stream.on('data', (chunk) => {
  console.log(chunk.toString());
  if (++count < 3) setImmediate(() => { stream.reset(); stream.write(packed); });
  else setImmediate(() => stream.end(() => { stream.destroy(); try { stream.reset(); } catch (error) { console.log(error.code, error.message.split('\n')[0]); } }));
});
stream.write(packed);
const busy = zlib.createGzip();
busy.write(Buffer.alloc(100000));
try { busy.reset(); } catch (error) { console.log(error.name, error.code, error.message); }
busy.destroy();
