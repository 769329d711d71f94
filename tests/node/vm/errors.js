const vm = require('vm');
try {
  vm.runInThisContext('let 1x', { filename: 'bad.vm', lineOffset: 9 });
} catch (e) {
  console.log(e.stack.split('\n').slice(0, 5).join('\n'));
}
try {
  vm.runInNewContext('function f() { throw new Error("inside"); }\nf()', {}, 'thrower.vm');
} catch (e) {
  console.log(e instanceof Error, e.name, e.stack.split('\n').slice(0, 3).join('\n'));
}
for (const f of [() => vm.runInContext('1', {}), () => new vm.Script(), () => vm.createContext(1), () => new vm.Script('1', { filename: 1 })]) {
  try {
    console.log(f() !== undefined);
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
