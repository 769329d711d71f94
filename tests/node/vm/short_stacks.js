// How many frames there are between a script and who runs it, where few are kept.
const vm = require('vm');
Error.stackTraceLimit = 4;
for (const run of [
  () => vm.runInThisContext('throw new Error("x")', 'test.vm'),
  () => vm.runInThisContext('var 5;', 'test.vm'),
  () => new vm.Script('throw new Error("x")', 'test.vm').runInThisContext(),
  () => new vm.Script('throw new Error("x")', 'test.vm').runInContext(vm.createContext()),
  () => vm.runInContext('throw new Error("x")', vm.createContext(), 'test.vm'),
  () => new vm.Script('var 5;', 'test.vm'),
]) {
  try {
    run();
  } catch (error) {
    console.log(error.stack);
  }
}
