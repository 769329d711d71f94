var declared = 1;
let alsoDeclared = 2;
console.log('declared' in globalThis, 'alsoDeclared' in globalThis, typeof globalThis.require, typeof globalThis.module, typeof global);
