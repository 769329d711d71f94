// rondo-test: scratch
// What a package.json may hold, and what makes it invalid, for require() and for import.
const fs = require('fs');
const path = require('path');
const { createRequire } = require('module');

const folder = path.join(process.cwd(), 'node_modules');
const texts = {
  name: '{ "name": 5 }', main: '{ "main": 5 }', type: '{ "type": 5 }', typeNull: '{ "type": null }', typeText: '{ "type": "other" }',
  exports: '{ "exports": 5 }', exportsNull: '{ "exports": null }', exportsFalse: '{ "exports": false }', exportsEmpty: '{ "exports": {} }',
  exportsList: '{ "exports": [] }', target: '{ "exports": { ".": 5 } }', targets: '{ "exports": { ".": [5, { "x": 1 }] } }',
  numeric: '{ "exports": { "0": "./index.js" } }', mixed: '{ "exports": { ".": "./index.js", "import": "./index.js" } }',
  imports: '{ "imports": 5 }', importsText: '{ "imports": "x" }', importsNull: '{ "imports": null }',
  empty: '', list: '[]', nothing: 'null', number: '5', text: '"x"', comma: '{ "main": "index.js", }', comment: '// no\n{}',
  after: '{} x', before: '\ufeff{ "main": "index.js" }', twice: '{ "main": "nope.js", "main": "index.js" }', control: '{ "a": "\t" }',
  open: '{ "main": "index.js"', capitals: '{ "Main": "nope.js", "TYPE": "module" }', missing: '{ "main": "nope.js", "exports": null }',
};
for (const [name, text] of Object.entries(texts)) {
  fs.mkdirSync(path.join(folder, name), { recursive: true });
  fs.writeFileSync(path.join(folder, name, 'package.json'), text);
  fs.writeFileSync(path.join(folder, name, 'index.js'),
    'try { require("#x"); } catch (error) { exports.found = error.code; }');
}
fs.rmSync(path.join(folder, 'missing', 'index.js'));
const show = (name, error) => console.log(name, error.name, error.code,
  error.message.split('\n')[0].replaceAll(process.cwd(), '.').replaceAll(__filename, 'main'), error.stack.split(':')[0]);
const require2 = createRequire(path.join(process.cwd(), 'x.js'));
for (const name of Object.keys(texts)) {
  try {
    console.log(name, require2(name));
  } catch (error) {
    show(name, error);
  }
}
fs.writeFileSync('all.mjs', `export default async (show, names) => {
  for (const name of names) {
    try {
      console.log(name, (await import(name)).default);
    } catch (error) {
      show(name, error);
    }
  }
}`);
import(path.resolve('all.mjs')).then(({ default: all }) => all(show, Object.keys(texts)));
