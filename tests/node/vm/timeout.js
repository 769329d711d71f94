const vm = require('vm');
try {
  vm.runInNewContext('while (true);', {}, { timeout: 20 });
} catch (e) {
  console.log(e.name, e.code, e.message);
}
console.log(vm.runInThisContext('1 + 1', { timeout: 1000 }));
