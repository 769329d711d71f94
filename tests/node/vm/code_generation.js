const vm = require('vm');
const context = vm.createContext({}, { codeGeneration: { strings: false } });
try {
  vm.runInContext('eval("1")', context);
} catch (e) {
  console.log(e.name, e.message);
}
console.log(vm.runInNewContext('eval("1 + 1")'));
