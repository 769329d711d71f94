console.log(() => {}, function named() {}, async () => {}, function* gen() {}, async function* agen() {}, class A {}, class B extends Array {}, class {}, Object.assign(() => {}, { a: 1 }));
console.log([Math.max, Symbol, Object.assign(function f() {}, { prop: { deep: 1 } })], Object.setPrototypeOf(() => {}, null));
