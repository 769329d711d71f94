// process.setSourceMapsEnabled() and module.setSourceMapsSupport() count for what is loaded after them.
const Module = require('module');
const file = require.resolve('./fixtures/shape.js');
const installed = require.resolve('./fixtures/node_modules/mapped');

function stackOf(path) {
  delete require.cache[path];
  try {
    return require(path).outer({ sides: 3 });
  } catch (error) {
    return error.stack.split('\n').slice(1, 3).join('\n');
  }
}

function show(title) {
  console.log(title, process.sourceMapsEnabled, Module.getSourceMapsSupport());
  console.log(stackOf(file));
  console.log(stackOf(installed));
}

show('at first');
process.setSourceMapsEnabled(true);
show('all');
Module.setSourceMapsSupport(true);
show('not node_modules');
Module.setSourceMapsSupport(true, { nodeModules: true });
show('node_modules too');
process.setSourceMapsEnabled(false);
show('none');
for (const args of [[1], [true, null], [true, { nodeModules: 1 }], [true, { generatedCode: 'no' }]]) {
  try {
    Module.setSourceMapsSupport(...args);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
try {
  process.setSourceMapsEnabled('yes');
} catch (error) {
  console.log(error.code, error.message);
}
console.log(Object.isFrozen(Module.getSourceMapsSupport()));
