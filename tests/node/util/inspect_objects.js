console.log({}, { a: 1 }, { 'a-b': 1, 2: 'two', [Symbol('s')]: 3 }, Object.create(null), Object.create({ inherited: 1 }));
console.log(new (class Foo {})(), new (class Foo { constructor() { this.x = 1; } })(), new (class extends Array {})(3), new (class Bar extends Map {})());
console.log({ get a() { return 1; }, set b(v) {}, get c() { return 1; }, set c(v) {} });
console.log(Object.assign(Object.create(null), { x: 1 }), { __proto__: { constructor: { name: 'Faked' } } });
