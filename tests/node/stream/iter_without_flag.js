// node:stream/iter takes an option.
for (const name of ['stream/iter', 'node:stream/iter', 'node:zlib/iter']) {
  try { require(name); } catch (error) { console.log(error.code, error.message.split('\n')[0]); }
}
console.log(require('node:module').isBuiltin('node:stream/iter'));
