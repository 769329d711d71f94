// rondo:lens is found by its full name alone, by require and by import.
const lens = require('rondo:lens');
const { builtinModules, isBuiltin } = require('module');

console.log(Object.keys(lens).sort().join(' '));
console.log(isBuiltin('rondo:lens'), builtinModules.includes('rondo:lens'), require.resolve('rondo:lens'));
for (const name of ['rondo/lens', 'node:rondo/lens', 'rondo:', 'rondo:other']) {
  try {
    require(name);
    console.log(name, 'was found');
  } catch ({ code }) {
    console.log(name, code);
  }
}
import('rondo:lens').then((imported) => {
  console.log(imported.default === lens, imported.snapshot === lens.snapshot);
  return import('rondo:other');
}).catch(({ code }) => console.log(code));
