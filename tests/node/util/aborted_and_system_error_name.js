const util = require('util');
const ac = new AbortController();
util.aborted(ac.signal, {}).then(() => console.log('aborted'));
ac.abort();
console.log(util.getSystemErrorName(-2), util.getSystemErrorMap().get(-13), util.types.isPromise(util.promisify(setImmediate)()));
