const qs = require('querystring');
console.log(qs.parse('a=1&b=2&a=3&c=%20+x&d&=e&%zz=%41'), qs.parse('a:1;b:2', ';', ':'), qs.parse('a=1&b=2&c=3', null, null, { maxKeys: 2 }), qs.parse(''), qs.decode === qs.parse);
console.log(qs.parse('x=%E4%BD', null, null, { decodeURIComponent: (s) => `<${s}>` }), qs.unescape('%41%zz'), qs.escape('a b&ü'));
