const { EventEmitter, once } = require('events');
const e = new EventEmitter();
(async () => {
  process.nextTick(() => e.emit('x', 1, 2));
  console.log(await once(e, 'x'));
  process.nextTick(() => e.emit('error', new Error('rejects')));
  await once(e, 'x').catch((error) => console.log(error.message));
  process.nextTick(() => e.emit('error', 'as a value'));
  console.log(await once(e, 'error'));
  const ac = new AbortController();
  process.nextTick(() => ac.abort());
  await once(e, 'x', { signal: ac.signal }).catch((error) => console.log(error.name, error.code));
  console.log(e.eventNames());
})();
