const EventEmitter = require('events');
const e = new EventEmitter();
e.once('x', () => { console.log('once'); e.emit('x'); });
e.emit('x');
console.log(e.listenerCount('x'));
