'use strict';
// sessionStorage: items are properties, sorted by the bytes of their names; localStorage needs a file.
function show(make) {
  try {
    console.log(make());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
for (const key of ['b', 'a', '\u00e9', '\u0161', '\u0201']) sessionStorage.setItem(key, key);
console.log(Object.keys(sessionStorage), sessionStorage);
sessionStorage.clear();
sessionStorage.a = 1;
sessionStorage.b = { c: 1 };
for (const make of [
  () => sessionStorage.getItem(), () => sessionStorage.key(), () => sessionStorage.setItem('a'),
  () => sessionStorage.removeItem(), () => new Storage(), () => Storage.prototype.length,
  () => Storage.prototype.getItem.call({}, 'a'), () => sessionStorage.setItem('a', Symbol('s')),
  () => sessionStorage.setItem('x'.repeat(6e6), ''), () => sessionStorage.key('x'), () => sessionStorage.key(-1),
  () => sessionStorage.key(100), () => sessionStorage.key(1.5), () => sessionStorage.missing,
  () => { sessionStorage.getItem = 5; return typeof sessionStorage.getItem; },
  () => sessionStorage.getItem('getItem'), () => { sessionStorage[3] = 'q'; return sessionStorage[3]; },
  () => Object.defineProperty(sessionStorage, 'k', { value: 4 }).k, () => 'a' in sessionStorage,
  () => 'zz' in sessionStorage, () => delete sessionStorage.zz, () => delete sessionStorage.a,
  () => sessionStorage.length, () => Object.getOwnPropertyDescriptor(sessionStorage, 'b'),
  () => Object.getOwnPropertySymbols(sessionStorage), () => ({ ...sessionStorage }),
]) show(make);
console.log(Object.keys(Object.getOwnPropertyDescriptors(Storage.prototype)).sort());
const { enumerable } = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
console.log(enumerable, typeof localStorage);
