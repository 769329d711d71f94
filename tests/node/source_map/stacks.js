// rondo-test: option=--enable-source-maps
// Stacks of a CommonJS module, an ES module, and of modules whose map is missing or broken.
const shape = require('./fixtures/shape.js');

function stackOf(fn) {
  try {
    return fn();
  } catch (error) {
    return error.stack;
  }
}

console.log(process.sourceMapsEnabled, require('module').getSourceMapsSupport());
console.log(stackOf(() => shape.outer({ sides: 3 })));
console.log(stackOf(() => require('./fixtures/node_modules/mapped').outer({ sides: 4 })));
console.log(stackOf(() => require('./fixtures/broken.js').fail()));
import('./fixtures/shape_module.mjs').then(({ outer }) => {
  console.log(stackOf(() => outer({ sides: 5 })));
  console.log(new Error('here').stack);
});
