// A property of the sandbox that cannot be deleted keeps scripts from declaring its name.
const vm=require('vm'); const ctx = vm.createContext({});
vm.runInContext("Object.defineProperty(this, 'foo', { value: 1, configurable: false });", ctx);
console.log(Object.getOwnPropertyDescriptor(ctx,'foo'), vm.runInContext("Object.getOwnPropertyDescriptor(this,'foo')", ctx));
for (const s of ['let foo = 2;','const foo=2','class foo{}','var foo = 3; foo','function foo(){}; foo', 'foo = 4; foo', 'delete foo', 'let bar = 1', 'bar', 'let undefined', 'let NaN = 1','var Infinity=2; Infinity', 'let Array = 3; Array', 'function undefined(){}'])
  try { console.log(s, vm.runInContext(s, ctx)); } catch (e) { console.log(s, e.name, e.message); }
const c2 = vm.createContext(Object.freeze({a: 1}));
for (const s of ['let a = 2;','var a = 2; a','a = 3; a','b = 4; b','var c = 1; c','let d = 2; d', 'function e(){}; typeof e'])
  try { console.log(s, vm.runInContext(s, c2)); } catch (e) { console.log(s, e.name, e.message); }
const c3 = vm.createContext(Object.defineProperty({}, 'x', { get() { return 1; }, configurable: false }));
for (const s of ['let x = 2;','var x = 2; x','x = 3; x', '"use strict"; x = 3'])
  try { console.log(s, vm.runInContext(s, c3)); } catch (e) { console.log(s, e.name, e.message); }
