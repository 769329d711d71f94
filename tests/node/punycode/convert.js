// rondo-test: option=--no-deprecation
const punycode = require('punycode');
console.log(punycode.encode('mañana'), punycode.decode('maana-pta'), punycode.toASCII('mañana.com'), punycode.toUnicode('xn--maana-pta.com'), punycode.toASCII('☃-⌘.com'), punycode.ucs2.decode('a😀'), punycode.ucs2.encode([0x61, 0x1f600]), punycode.version);
try {
  punycode.decode('\x80');
} catch (e) {
  console.log(e.name, e.message);
}
