const vm = require('vm');
const sandbox = { shared: [1] };
vm.createContext(sandbox);
vm.runInContext('shared.push(2); function f() { return "declared"; } let lexical = 1; const c = 2; globalThis.g = 3;', sandbox);
console.log(sandbox.shared, sandbox.f(), 'lexical' in sandbox, sandbox.g, vm.runInContext('lexical + c', sandbox));
console.log(vm.runInContext('[] instanceof Array', sandbox), vm.runInContext('[]', sandbox) instanceof Array, vm.runInContext('this.constructor.name', sandbox), Array.isArray(vm.runInContext('[]', sandbox)));
