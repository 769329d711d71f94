class A { #private = 1; static s = 2; get x() { return 1; } }
class B extends A { own = 3; }
console.log(A, B, new A(), new B(), Object.create(A.prototype), A.prototype, Object.create(B.prototype));
console.log({ [Symbol.toStringTag]: 'Tagged' }, new (class C { get [Symbol.toStringTag]() { return 'T'; } })(), new (class D extends null { constructor() { return Object.create(D.prototype); } })());
