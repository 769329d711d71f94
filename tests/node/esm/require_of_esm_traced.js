// rondo-test: option=--trace-require-module=all option=--trace-warnings
// The warning's stack leads to the program, past the loader's own frames.
function load() {
  return require('./fixtures/live.mjs');
}
load();
