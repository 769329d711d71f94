'use strict';
// URLPattern: what patterns are made of, how they are written again, and what they match.
const cases = [
  [['https://*.example.com/:page/*?q=:x#(a|b)'], ['https://www.example.com/one/two/three?q=5#a']],
  [['/books/:id(\\d+)', 'https://example.com'], ['/books/12', 'https://example.com']],
  [['/books/:id(\\d+)', 'https://example.com'], ['https://example.com/books/x']],
  [[{ pathname: '/a{/:b}?' }], [{ pathname: '/a' }], [{ pathname: '/a/c' }]],
  [[{ pathname: '/a/:b*' }], ['https://x/a/1/2'], ['https://x/a']],
  [[{ pathname: '/a/:b+' }], ['https://x/a/1/2'], ['https://x/a']],
  [[{ pathname: '/:a:b' }]], [[{ pathname: '/:a{b}' }], [{ pathname: '/xb' }]],
  [[{ pathname: '/\\:a' }], [{ pathname: '/:a' }]], [[{ pathname: '{:a}b' }]], [[{ pathname: '/a{:b-}*' }], [{ pathname: '/ax-y-' }]],
  [[{ hostname: '{*.}?example.com' }], ['https://example.com'], ['https://a.b.example.com']],
  [[{ hostname: '[\\:\\:A]' }], ['http://[::a]/']], [[{ hostname: 'b\u00fccher.example' }], ['http://b\u00fccher.example/']],
  [[{ hostname: 'bad/hostname' }]], [[{ hostname: 'bad%hostname' }]], [[{ hostname: 'bad:hostname' }]],
  [[{ protocol: 'https', port: '443' }], ['https://a/']], [[{ port: '80x' }]], [[{ port: '99999' }]],
  [[{ protocol: 'data', pathname: 'a b' }], ['data:a b']], [['data\\:foobar'], ['data:foobar']], [['data:foobar'], ['data:foobar']],
  [[{ pathname: '/caf\u00e9 x' }], ['https://x/caf\u00e9 x']], [[{ search: 'q=*' }], ['https://x/?q=a%20b']],
  [[{ pathname: '/FOO' }, { ignoreCase: true }], ['https://x/foo']], [[{ pathname: 'b', baseURL: 'https://x/a/c?q#h' }], ['https://x/a/b']],
  [['https://u:p@x/'], ['https://u:p@x/']], [['?q', 'https://x/a'], ['https://x/a?q']], [['#h', 'https://x/a?b'], ['https://x/a?b#h']],
  [[{ pathname: '/(a(?:b))' }], [{ pathname: '/ab' }]], [[{ pathname: '/(a(b))' }]], [[{ pathname: '/(?a)' }]], [[{ pathname: '/(\u00e9)' }]],
  [[{ pathname: '/:a/:a' }]], [[{ pathname: '{a' }]], [[{ pathname: '\\' }]], [['foo']], [[{}, 'https://x']], [['https://x', 'nope']],
  [[{ pathname: '/([^\\/]+?)' }]], [[{ pathname: '/(.*)' }]], [[{ pathname: '/a/./../b' }], ['https://x/b']],
];
const kNames = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash', 'hasRegExpGroups'];
for (const [construct, ...inputs] of cases) {
  console.log(JSON.stringify(construct));
  try {
    const pattern = new URLPattern(...construct);
    console.log('  ', kNames.map((name) => pattern[name]).join(' | '));
    for (const input of inputs) {
      const found = pattern.exec(...input);
      console.log('  ', pattern.test(...input), found === null ? null : kNames.slice(0, -1).map((name) => {
        const groups = Object.entries(found[name].groups).sort().map(([key, value]) => `${key}=${value}`);
        return `${found[name].input}(${groups})`;
      }).join(' | '));
    }
  } catch (error) {
    console.log('  ', error.name, error.code, error.message);
  }
}
