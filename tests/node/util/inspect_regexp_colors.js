'use strict';
const { inspect } = require('util');

for (const regexp of [
  /x/g, /a|b+c*?d?/, /(?:a)(?=b)(?!c)(?<=d)(?<!e)/, /(?<name>x)\k<name>\1\12/, /[a-z\d\u{1F600}\]-]+[^-x]/u,
  /\p{Lu}\P{L}[\p{Lu}]\u{41}\x41\x4/u, /a{1}b{2,}c{3,4}?d{,5}/, /\/\\.^$,/dgimsuy, /a{b}{/, /((((a))))/,
  /[[a-z]--[aeiou]]/v, /(?i:x)/,
].map((regexp) => regexp)) {
  console.log(JSON.stringify(inspect(regexp, { colors: true })));
}
console.log(JSON.stringify(inspect(Object.assign(/x(y)/, { a: 1 }), { colors: true })));
console.log(JSON.stringify(inspect([[[/x(y)/]]], { colors: true, depth: 1 })));

console.log(inspect.styles.regexp.name, inspect.styles.regexp.colors);
inspect.styles.regexp.colors = ['blue', 'no such colour'];
console.log(JSON.stringify(inspect(/x(y)/, { colors: true })));
inspect.styles.regexp.colors = [];
console.log(JSON.stringify(inspect(/x(y)/, { colors: true })));
inspect.styles.regexp = 'red';
console.log(JSON.stringify(inspect(/x(y)/, { colors: true })));
inspect.styles.number = (text) => `<${text}>`;
console.log(inspect([1, { a: 2 }], { colors: true }));
