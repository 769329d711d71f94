const path = require('path');
console.log(path.join('/a', '..', 'b', './c', ''), path.join('a', '../../..', 'b'), path.join(''), path.join('a//b', '/c/'), path.join('/..', 'x'));
console.log(path.resolve('/a/b', '../c', './d'), path.resolve('/a', '/b', 'c'), path.resolve('') === process.cwd());
console.log(path.normalize('/a/./b//../c/'), path.normalize('./a/..'), path.normalize('../../a'), path.normalize('/..'));
