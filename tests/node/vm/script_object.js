const vm = require('vm');
const script = new vm.Script('n = (typeof n === "undefined" ? 0 : n) + 1', { filename: 'counter.vm' });
const context = vm.createContext({});
console.log(script.runInContext(context), script.runInContext(context), script.runInNewContext({ n: 10 }), context);
console.log(script.cachedDataRejected, Buffer.isBuffer(script.createCachedData()), script.sourceMapURL);
