const vm = require('vm');
const f = vm.compileFunction('return a + b + (typeof c)', ['a', 'b'], { filename: 'f.vm' });
console.log(f(1, 2), f.length, vm.compileFunction('return x', [], { contextExtensions: [{ x: 'extension' }] })());
try {
  vm.compileFunction('return ;;}', []);
} catch (e) {
  console.log(e.name, e.message);
}
