console.log(require('./shebang.js'));
