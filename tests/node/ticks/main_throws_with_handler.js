process.on('uncaughtException', (e) => console.log('caught', e.message));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
setTimeout(() => console.log('timer'), 1);
throw new Error('main');
