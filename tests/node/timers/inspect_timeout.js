const timer = setTimeout(function callback() {}, 25);
console.log(require('util').inspect(timer, { depth: 0 }).replace(/(_idleStart|\[Symbol\(asyncId\)\]|\[Symbol\(triggerId\)\]): \d+/g, '$1: N'));
clearTimeout(timer);
