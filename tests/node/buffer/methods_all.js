// Every other method of Buffer: what it returns, and what it throws.
const show = (value) => (Buffer.isBuffer(value) ? `<${value.toString('hex')}>` : typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value));
const attempt = (name, call) => {
  try {
    console.log(name, show(call()));
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const odd = [undefined, null, -1, 0, 1, 3, 100, 1.7, NaN, '2', 'x', {}, [], true, 1n];
const text = 'h\u00e9llo w\u00f6rld \u20ac \ud83d\ude00';
for (const value of odd) {
  const word = typeof value === 'bigint' ? '1n' : JSON.stringify(value) ?? 'undefined';
  const b = () => Buffer.from('0102030405060708', 'hex');
  for (const name of ['alloc', 'from', 'byteLength', 'isEncoding', 'isBuffer', 'of', 'concat', 'copyBytesFrom', 'compare']) {
    attempt(`Buffer.${name}(${word})`, () => Buffer[name](value));
  }
  for (const name of ['allocUnsafe', 'allocUnsafeSlow']) attempt(`Buffer.${name}(${word})`, () => Buffer[name](value).length);
  for (const name of ['slice', 'subarray', 'toString', 'fill', 'indexOf', 'lastIndexOf', 'includes', 'equals', 'compare', 'write', 'copy',
    'toJSON', 'swap16', 'swap32', 'swap64', 'at', 'hexSlice', 'utf8Slice', 'latin1Slice', 'asciiSlice', 'base64Slice', 'ucs2Slice']) {
    attempt(`${name}(${word})`, () => b()[name](value));
    attempt(`${name}(1, ${word})`, () => b()[name](1, value));
    attempt(`${name}('a', ${word})`, () => b()[name]('a', value));
    // Node aborts on some encodings that are not strings.
    if (typeof value === 'string' || !/ndexOf|includes/.test(name)) attempt(`${name}('ab', 1, ${word})`, () => b()[name]('ab', 1, value));
  }
  attempt(`copy(b, ${word})`, () => b().copy(Buffer.alloc(4), value));
  attempt(`copy(b, 0, ${word})`, () => b().copy(Buffer.alloc(4), 0, value));
  attempt(`copy(b, 0, 0, ${word})`, () => b().copy(Buffer.alloc(4), 0, 0, value));
  attempt(`compare(b, ${word})`, () => b().compare(Buffer.from([1, 2]), value));
  attempt(`compare(b, 0, ${word})`, () => b().compare(Buffer.from([1, 2]), 0, value));
  attempt(`concat([b], ${word})`, () => Buffer.concat([b(), b()], value));
  attempt(`alloc(4, ${word})`, () => Buffer.alloc(4, value));
  attempt(`from(ArrayBuffer, ${word})`, () => Buffer.from(new ArrayBuffer(4), value));
  attempt(`from(ArrayBuffer, 1, ${word})`, () => Buffer.from(new ArrayBuffer(4), 1, value));
}
for (const encoding of ['utf8', 'utf-8', 'UTF8', 'utf16le', 'ucs2', 'latin1', 'binary', 'ascii', 'hex', 'base64', 'base64url', 'none', '', null]) {
  attempt(`from(text, ${encoding})`, () => Buffer.from(text, encoding));
  attempt(`byteLength(text, ${encoding})`, () => Buffer.byteLength(text, encoding));
  attempt(`toString(${encoding})`, () => JSON.stringify(Buffer.from(text).toString(encoding)));
  attempt(`toString(${encoding}, 2, 9)`, () => JSON.stringify(Buffer.from(text).toString(encoding, 2, 9)));
  attempt(`write(${encoding})`, () => { const b = Buffer.alloc(12); return `${b.write(text, 1, 9, encoding)} ${b.toString('hex')}`; });
  attempt(`fill(${encoding})`, () => Buffer.alloc(9).fill('6a6b', encoding));
  if (encoding !== null) attempt(`indexOf(${encoding})`, () => Buffer.from(text).indexOf('w', 0, encoding));
  attempt(`lastIndexOf(${encoding})`, () => Buffer.from(text).lastIndexOf('l', encoding));
  attempt(`isEncoding(${encoding})`, () => Buffer.isEncoding(encoding));
}
const { atob, btoa, isAscii, isUtf8, transcode, kMaxLength, constants } = require('buffer');
for (const value of [...odd, 'YQ==', ' Y Q ', 'YQ', 'Y', 'Y===', '\u00e9', '\u20ac']) {
  const word = typeof value === 'bigint' ? '1n' : JSON.stringify(value) ?? 'undefined';
  attempt(`atob(${word})`, () => JSON.stringify(atob(value)));
  attempt(`btoa(${word})`, () => btoa(value));
  attempt(`isAscii(${word})`, () => isAscii(typeof value === 'string' ? Buffer.from(value) : value));
  attempt(`isUtf8(${word})`, () => isUtf8(typeof value === 'string' ? Buffer.from(value) : value));
  attempt(`transcode(${word})`, () => transcode(typeof value === 'string' ? Buffer.from(value) : value, 'utf8', 'ucs2'));
}
for (const from of ['utf8', 'ucs2', 'latin1', 'ascii', 'hex', 'none']) {
  for (const to of ['utf8', 'ucs2', 'latin1', 'ascii', 'base64']) attempt(`transcode ${from} ${to}`, () => transcode(Buffer.from('a\u00e9\u20ac'), from, to));
}
console.log(kMaxLength, constants);
