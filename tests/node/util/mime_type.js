'use strict';
const { MIMEParams, MIMEType } = require('util');

for (const text of ['text/html', ' TEXT/Html ; Charset = utf-8; a="b c\\"d" ;a=2', 'a/b;x="open', 'a/b;x="esc\\', 'a/b;=1;x;y=;z="";ä=1;q="€"', 'a/b;x="y"z;w=1']) {
  const type = new MIMEType(text);
  console.log(String(type), type.type, type.subtype, type.essence, [...type.params], JSON.stringify(type));
}
for (const text of ['', 'text', 'text/', '/html', 'te xt/html', 'text/ht ml', 'text/html€']) {
  try {
    new MIMEType(text);
  } catch (error) {
    console.log(error.name, error.code, error.message, MIMEType.parse(text));
  }
}
const type = new MIMEType('a/b');
type.type = 'TEXT';
type.subtype = 'Plain';
type.params.set('Q', 'a "quoted" \\ text');
type.params.set('empty', '');
console.log(`${type}`, type.params.get('q'), type.params.get('none'), type.params.has('EMPTY'), [...type.params.keys()], [...type.params.values()]);
type.params.delete('q');
console.log(`${type.params}`, JSON.stringify(type.params), MIMEParams.prototype[Symbol.iterator] === MIMEParams.prototype.entries);
for (const f of [() => { type.type = ''; }, () => { type.subtype = 'a/b'; }, () => type.params.set('', 1), () => type.params.set('a b', 1), () => type.params.set('a', '\n'), () => new MIMEType('a/b', 1), () => MIMEType('a/b')]) {
  try {
    f();
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(Object.getOwnPropertyNames(MIMEType.prototype), Object.getOwnPropertyNames(MIMEParams.prototype), new MIMEParams());
