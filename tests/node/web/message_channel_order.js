// Messages come through the loop, after ticks and microtasks.
const { port1, port2 } = new MessageChannel();
port2.on('message', (n) => { console.log('message', n); Promise.resolve().then(() => console.log('microtask of', n)); if (n === 3) port2.close(); });
for (let i = 1; i <= 3; i++) port1.postMessage(i);
Promise.resolve().then(() => console.log('microtask'));
process.nextTick(() => console.log('tick'));
