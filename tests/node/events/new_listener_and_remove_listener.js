const EventEmitter = require('events');
const e = new EventEmitter();
e.on('newListener', (name, f) => console.log('newListener', String(name), f.name, e.listenerCount(name)));
e.on('removeListener', (name, f) => console.log('removeListener', String(name), f.name, e.listenerCount(name)));
function listener() {}
e.on('x', listener);
e.once(Symbol('s'), listener);
e.off('x', listener);
e.removeAllListeners();
console.log(e.eventNames());
