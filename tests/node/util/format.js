const { format, formatWithOptions } = require('util');
console.log(format('%s %s %s', 'a', 1n, { b: 1 }), format('%d %d %d', '42', 1n, 'x'), format('%i %f', '42.9px', '1.50'));
console.log(format('%j %j', { a: 1 }, undefined), format('%o', { f() {} }), format('%O', { a: { b: { c: { d: 1 } } } }));
console.log(format('%c styled', 'color: red'), format('100%'), format('%% %s', 'x'), format('%s'), format('%x %s', 1), format('a', 'b', { c: 1 }, null));
console.log(format(1, '2', '%s'), format('%s', Symbol('x')), format('%s', () => 1), format('%s', -0), format('%s', class Foo {}), format('%s', new Error('e').message));
const circular = {}; circular.c = circular;
console.log(format('%j', circular), formatWithOptions({ colors: true }, '%s %O', 'x', 1));
console.log(format('%s', { toString() { return 'own toString'; } }), format('%s', new (class K { toString() { return 'class toString'; } })()), format('%s', [1, [2, [3]]]), format('%s', new Date(0)));
