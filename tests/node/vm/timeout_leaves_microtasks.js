// What a script that ran out of time has left in its own queue of microtasks does not run on after it.
const vm = require('vm');
let count = 0;
const loop = () => { count++; for (const end = Date.now() + 1000; Date.now() < end;); };
const start = Date.now();
try {
  vm.runInNewContext('Promise.resolve().then(() => loop()); loop();', { loop }, { timeout: 20, microtaskMode: 'afterEvaluate' });
} catch (error) {
  console.log(error.code, error.message);
}
console.log(count, Date.now() - start < 900);
try {
  vm.runInNewContext('Promise.resolve().then(() => loop());', { loop }, { timeout: 20, microtaskMode: 'afterEvaluate' });
} catch (error) {
  console.log(error.code);
}
console.log(count, Date.now() - start < 1800);
