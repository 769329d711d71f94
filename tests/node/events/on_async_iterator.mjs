import { EventEmitter, on } from 'events';
const e = new EventEmitter();
setImmediate(() => { e.emit('x', 1); e.emit('x', 2, 'two'); setImmediate(() => e.emit('x', 'end')); });
for await (const args of on(e, 'x')) {
  console.log(args);
  if (args[0] === 'end') break;
}
console.log(e.listenerCount('x'));
setImmediate(() => e.emit('error', new Error('ends it')));
try {
  for await (const _ of on(e, 'x'));
} catch (error) {
  console.log(error.message);
}
