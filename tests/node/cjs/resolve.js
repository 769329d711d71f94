const path = require('path');
const show = (p) => console.log(path.relative(__dirname, p));
show(require.resolve('./fixtures/counter'));
show(require.resolve('plain'));
console.log(require.resolve('fs'), require.resolve('node:fs'));
show(require.resolve('./counter', { paths: [path.join(__dirname, 'fixtures')] }));
console.log(require.resolve.paths('fs'), require.resolve.paths('x')[0] === path.join(__dirname, 'node_modules'), require.resolve.paths('./x').join());
