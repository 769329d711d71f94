const url = require('url');
console.log(url.format({ protocol: 'http', host: 'h.com', pathname: 'p q', query: { a: [1, 2], b: 'x y' }, hash: 'z' }), url.format({ protocol: 'file:', pathname: '/a' }), url.format('http://H.com/x#y'));
for (const [a, b] of [['/one/two/three', 'four'], ['http://h/', '/one'], ['http://h/one', '/two'], ['http://h/a/b', '../c'], ['http://h/x', 'https://i/y'], ['mailto:a@b', 'c@d']]) console.log(url.resolve(a, b));
console.log(url.format(new URL('http://a:b@測試.example/x?y#z'), { unicode: true, auth: false, fragment: false, search: false }));
