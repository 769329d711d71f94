const path = require('path');
for (const p of ['/home/user/file.txt', 'file', './a/b.tar.gz', '/', '/x/', '.hidden', '']) console.log(path.parse(p));
console.log(path.format({ dir: '/a', base: 'b.c' }), path.format({ root: '/', name: 'n', ext: '.e' }), path.format({ name: 'n', ext: 'e' }), path.format({ dir: '/', root: '/', base: 'x' }));
