// rondo-test: option=--experimental-print-required-tla
// Where the graph awaits that require() refuses; the whole error is printed at the end.
const path = require('path');
try {
  require('./fixtures/awaiting/outer.mjs');
} catch (error) {
  console.log(Object.keys(error), error.topLevelAwaitLocations.map(({ url, ...rest }) => [path.basename(url), rest]));
  console.log(error.message.replaceAll(__dirname, ''));
}
require('./fixtures/awaiting/outer.mjs');
