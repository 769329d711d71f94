// rondo-test: option=--expose-gc
// Code that has run leaves nothing behind: the heap does not grow with the number of calls.
const vm = require('node:vm');

const kCalls = 10_000;
const kMostBytes = 200 * kCalls;

function check(name, calls, action) {
  const run = () => { for (let i = 0; i < calls; i++) action(i); };
  run(); // compiles, and fills the caches that are of limited size
  gc();
  const before = process.memoryUsage().heapUsed;
  run();
  gc();
  const grown = process.memoryUsage().heapUsed - before;
  console.log(name, grown < kMostBytes ? 'does not grow' : `grows by ${grown / calls} bytes with each call`);
}

const context = vm.createContext({});
check('runInThisContext', kCalls, () => vm.runInThisContext('1 + 1'));
check('Script', kCalls, () => new vm.Script('1 + 1'));
check('Script of another source each time', kCalls, (i) => new vm.Script(`1 + ${i}`).runInThisContext());
check('runInContext', kCalls, () => vm.runInContext('1 + 1', context));
check('compileFunction', kCalls, () => vm.compileFunction('return 1'));
check('createContext', 100, () => vm.createContext({}));
check('createContext, afterEvaluate', 100, () => vm.createContext({}, { microtaskMode: 'afterEvaluate' }));
