// The handlers of errors run in the frame of what has failed.
const { AsyncLocalStorage } = require('async_hooks');
const storage = new AsyncLocalStorage();
const lines = []; // in no particular order: which ticks an exception puts off is open
const say = (...words) => lines.push(words.join(' '));
process.on('exit', () => console.log(lines.sort().join('\n')));
process.on('uncaughtException', (error) => say('uncaught', error.message, storage.getStore()));
process.on('unhandledRejection', (error) => say('unhandled', error.message, storage.getStore()));
storage.run('tick', () => process.nextTick(() => { throw new Error('in tick'); }));
storage.run('microtask', () => queueMicrotask(() => { throw new Error('in microtask'); }));
storage.run('rejection', () => { Promise.reject(new Error('rejected')); });
storage.run('immediate', () => setImmediate(() => { throw new Error('in immediate'); }));
storage.run('timer', () => setTimeout(() => { throw new Error('in timer'); }, 20));
setTimeout(() => say('nothing is left', storage.getStore()), 40);
