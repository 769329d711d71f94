const EventEmitter = require('events');
const e = new EventEmitter();
e.on('x', () => { console.log('a'); e.off('x', b); e.on('x', () => console.log('added')); });
const b = () => console.log('b, still called this time');
e.on('x', b);
e.emit('x');
console.log('--');
e.emit('x');
