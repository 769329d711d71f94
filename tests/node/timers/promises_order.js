const { setTimeout: sleep, setImmediate: turn } = require('node:timers/promises');
setImmediate(() => {
  sleep(0).then(() => console.log('sleep'));
  turn().then(() => console.log('turn'));
  process.nextTick(() => console.log('tick'));
  const start = Date.now();
  while (Date.now() - start < 5);
});
