const { createRequire } = require('module');
const req = createRequire(__dirname + '/fixtures/packages/any.js');
console.log(req('nearer'), req('./inner.js'));
console.log(createRequire(require('url').pathToFileURL(__filename))('./fixtures/data.json').name);
for (const arg of ['relative/path', 1]) {
  try {
    createRequire(arg);
  } catch (e) {
    console.log(e.code, e.message);
  }
}
