import { scheduler } from 'timers/promises';
setImmediate(() => console.log('immediate'));
await scheduler.yield();
console.log('yielded');
await scheduler.wait(5);
console.log('waited');
