const vm = require('vm');
const context = vm.createContext({ x: 2, console });
console.log(vm.runInContext('x += 40; var y = 1; x', context), context.x, context.y, typeof y);
console.log(vm.runInNewContext('a + b', { a: 1, b: 2 }), vm.runInThisContext('globalThis.fromVm = 7; typeof require'), fromVm);
console.log(vm.isContext(context), vm.isContext({}));
vm.runInContext('console.log(typeof setTimeout, typeof globalThis.x, this.x)', context);
