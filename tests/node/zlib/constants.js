'use strict';
const zlib = require('node:zlib');
console.log(JSON.stringify(zlib.constants));
console.log(JSON.stringify(zlib.codes));
console.log(Object.isFrozen(zlib.codes), Object.getPrototypeOf(zlib.constants));
console.log(Object.getOwnPropertyDescriptor(zlib, 'constants').writable, Object.getOwnPropertyDescriptor(zlib, 'Z_OK'));
console.log(Object.keys(zlib).filter((name) => !/zip[A-Z]|Zip[A-Z]|zipFiles|ZipContent/.test(name) || /gzip|Gzip/.test(name)).join());
for (const name of Object.keys(zlib)) {
  if (typeof zlib[name] === 'function' && !/Zip[A-Z]|zipFiles/.test(name)) console.log(name, zlib[name].name, zlib[name].length);
}
