console.log(new Map([['a', { b: 1 }], [{ k: 1 }, 'v']]), new Set([1, 'two', { three: 3 }]), new Map(), new Set());
console.log(new Map([[1, 2]]).entries(), new Set([1]).values(), [1, 2][Symbol.iterator](), 'ab'[Symbol.iterator](), 'ab'.matchAll(/a/g));
console.log(new WeakMap(), new WeakSet(), new WeakRef({ a: 1 }));
