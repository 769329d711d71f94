process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setTimeout(() => {
  console.log('A');
  process.nextTick(() => console.log('t1'));
  process.nextTick(() => { throw new Error('t2'); });
  process.nextTick(() => console.log('t3'));
}, 1);
setTimeout(() => console.log('B'), 1);
setTimeout(() => console.log('C'), 5);
setImmediate(() => console.log('immediate'));
stall();
