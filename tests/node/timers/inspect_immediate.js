const immediate = setImmediate(function callback() {}, 1);
console.log(require('util').inspect(immediate, { depth: 0 }).replace(/(\[Symbol\(asyncId\)\]|\[Symbol\(triggerId\)\]): \d+/g, '$1: N'));
clearImmediate(immediate);
