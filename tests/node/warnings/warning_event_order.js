process.on('warning', (w) => console.log('event', w.message));
process.emitWarning('w');
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
console.log('main');
