// node:sea, in a program that is not a single executable.
const sea = require('node:sea');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
for (const name of Object.keys(sea)) console.log(name, sea[name].length, sea[name].name);
for (const name of Object.keys(sea)) {
  for (const args of [[], ['key'], [1], ['key', 'utf8'], ['key', 1], ['key', {}]]) attempt(`${name} ${JSON.stringify(args)}`, () => sea[name](...args));
}
try { require('sea'); } catch (error) { console.log(error.code); }
const { builtinModules, isBuiltin } = require('node:module');
console.log(builtinModules.filter((id) => id.startsWith('node:') && id !== 'node:ffi'), isBuiltin('sea'), isBuiltin('node:sea'), Object.isFrozen(builtinModules));
