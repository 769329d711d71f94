'use strict';
const zlib = require('node:zlib');
process.on('warning', (warning) => console.log(warning.name, warning.code, warning.message));
for (const name of ['Gzip', 'Deflate', 'BrotliCompress', 'Unzip']) {
  const made = zlib[name]({ level: 1 });
  console.log(name, made instanceof zlib[name], made.constructor === zlib[name], made._level);
}
try { zlib.ZstdCompress(); } catch (error) { console.log(error.name, error.message); }
console.log(Object.getPrototypeOf(zlib.Gzip).name, Object.getPrototypeOf(zlib.BrotliCompress).name, Object.getPrototypeOf(zlib.ZstdCompress).name);
class Mine extends zlib.Gzip { constructor() { super({ level: 9 }); } }
console.log(new Mine() instanceof zlib.Gzip, new Mine()._level);
