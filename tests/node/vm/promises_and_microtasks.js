const vm = require('vm');
const context = vm.createContext({ log: console.log, queueMicrotask });
vm.runInContext('Promise.resolve().then(() => log("inner promise")); (async () => { await null; log("inner async"); })();', context);
process.nextTick(() => console.log('tick'));
const own = vm.createContext({ log: console.log }, { microtaskMode: 'afterEvaluate' });
vm.runInContext('Promise.resolve().then(() => log("own queue, already run"))', own);
console.log('main');
