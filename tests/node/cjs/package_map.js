// rondo-test: option=--experimental-package-map=fixtures/package_map/map.json
// Names lead where the map of packages says, for require() and import.
require('./fixtures/package_map/app/main.js');
try {
  require('plain');
} catch (error) {
  console.log(error.code);
}
