const a = { name: 'a' };
a.self = a;
a.list = [a, { a }];
console.log(a);
const b = { m: new Map() };
b.m.set('b', b);
b.m.set(b.m, a);
console.log(b);
