// rondo-test: scratch
const { writeFileSync } = require('node:fs');
const { createRequire, findPackageJSON, isBuiltin } = require('node:module');
const { basename, join } = require('node:path');

const files = {
  'package.json': '{"name":"own","imports":{"#/*":"./*"},"exports":"./plain.mjs"}',
  'plain.mjs': 'export default 1; export const named = 2;',
  'flagged.mjs': 'export default 1; export const __esModule = false;',
  'chosen.mjs': 'export default 1; export { f as "module.exports" }; function f() {}',
  'awaits.mjs': 'await 1;',
  'imports_awaits.mjs': 'import "./awaits.mjs";',
  'throws.mjs': 'throw new RangeError("thrown");',
  'cycle.mjs': 'import "./cycle.cjs";',
  'cycle.cjs': 'require("./cycle.mjs");',
  'detected.js': 'export const detected = import.meta.main;',
};
for (const [name, text] of Object.entries(files)) writeFileSync(name, text);
const local = createRequire(join(process.cwd(), 'any.js'));
process.removeAllListeners('warning').on('warning', ({ code }) => console.log(code));
for (const name of [...Object.keys(files).slice(1), '#/plain.mjs', 'own']) {
  try {
    console.log(name, local(name[0] === '#' || name === 'own' ? name : `./${name}`));
  } catch (error) {
    console.log(name, error.code, error.message.replaceAll(`${process.cwd()}/`, '').replaceAll(__dirname, ''));
  }
}
console.log(process.features.require_module, isBuiltin('node:module'), isBuiltin('wss'));
console.log(basename(findPackageJSON('./plain.mjs', join(process.cwd(), 'any.js'))),
  basename(findPackageJSON('own', join(process.cwd(), 'any.js'))));
