const qs = require('querystring');
console.log(qs.stringify({ a: 1, b: ['x', 'y'], c: true, d: null, e: undefined, f: NaN, g: 10n, h: { i: 1 }, 'k k': 'ü&=' }), qs.stringify({ a: 1, b: 2 }, ';', ':'), qs.stringify('x'), qs.stringify({ a: '%' }, null, null, { encodeURIComponent: (s) => s }));
try {
  qs.stringify({ a: '\ud800' });
} catch (e) {
  console.log(e.name, e.code, e.message);
}
