'use strict';
// The timer that was to come next is looked for anew after a tick has thrown: started again meanwhile, it waits.
process.on('uncaughtException', (error) => console.log('uncaught:', error.message));
setTimeout(() => {
  console.log('timer 1');
  process.nextTick(() => {
    second.refresh();
    throw new Error('tick 1');
  });
  process.nextTick(() => console.log('tick 2'));
}, 50);
const second = setTimeout(() => console.log('timer 2'), 50);
setTimeout(() => console.log('timer 3'), 51);
for (const start = Date.now(); Date.now() - start < 80;);
// THROW-9
