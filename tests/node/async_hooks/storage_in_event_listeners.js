// A listener runs in the context of emit().
const { AsyncLocalStorage } = require('async_hooks');
const EventEmitter = require('events');
const s = new AsyncLocalStorage();
const e = new EventEmitter();
s.run('when added', () => e.on('x', () => console.log(s.getStore())));
s.run('when emitted', () => e.emit('x'));
