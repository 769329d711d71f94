// Node's own fs and net spread arrays here and there: only what works there is used.
delete Array.prototype[Symbol.iterator];
const done = [];
const say = (what) => { done[done.length] = what; };
process.nextTick(say, 'tick');
process.nextTick((...all) => say(`tick with ${all.length}`), 1, 2, 3);
queueMicrotask(() => say('microtask'));
Promise.resolve().then(() => say('then'));
(async () => { await null; say('await'); })();
setImmediate(() => say('immediate'));
setTimeout(say, 1, 'timer');
const interval = setInterval(() => { clearInterval(interval); say('interval'); }, 1);
say(`json ${require('./fixtures/data.json').value}`);
say(`module ${require('./fixtures/module.js')}`);
process.on('uncaughtException', (error) => say(`uncaught ${error.message}`));
process.on('unhandledRejection', (error) => say(`unhandled ${error.message}`));
setImmediate(() => { throw new Error('in immediate'); });
Promise.reject(new Error('rejected'));
process.on('exit', (code) => {
  console.log('exit');
  console.log(`code ${code}\n${done.sort().join('\n')}`);
});
