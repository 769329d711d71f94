// rondo-test: option=--no-deprecation
'use strict';
// pathToFileURL() refuses servers that cannot be hosts; url.parse() refuses what is not a port.
const url = require('node:url');

const shares = ['exa mple', '?\\UNC\\ho st', 'a@b', 'HOST', 'xn--', '1.2.3.256', '1.2.3.4', '\u00e9', 'h:80', 'h%41', 'a/b', 'a#b',
  'a?b', '?\\C:', '.\\x', '\\x', 'a\tb', 'a^b', 'a|b', 'localhost', 'a<b'];
for (const share of shares) {
  try {
    console.log(share, url.pathToFileURL(`\\\\${share}\\c d?x#y`, { windows: true }).href);
  } catch (error) {
    console.log(share, error.name, error.code, error.message, error.input, error.base, Object.keys(error));
  }
}
const urls = ['https://evil.com:.example.com', 'git+ssh://git@github.com:npm/npm', 'http://a:b', 'http://a:', 'http://a:99999/',
  'http://a:65536', 'http://[::1]:x', 'http://[::1]:8', 'http://a:80x/', 'a:b:c', 'mailto:a@b:c', '//x:y/z', 'http://a b:8', 'http://a:8:9/', '/a/?@&<', '/a@/?<', '/a?b@c`'];
for (const text of urls) {
  for (const slashesDenoteHost of [false, true]) {
    try {
      console.log(text, url.parse(text, false, slashesDenoteHost).href);
    } catch (error) {
      console.log(text, error.name, error.code, error.message, error.input, Object.keys(error));
    }
  }
}
