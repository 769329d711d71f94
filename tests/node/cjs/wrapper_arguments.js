console.log(arguments.length, typeof arguments[0], typeof arguments[1], arguments[2] === module, arguments[3] === __filename, arguments[4] === __dirname);
console.log(require('module').wrap('x'), arguments.callee.length);
