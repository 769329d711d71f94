const EventEmitter = require('events');
const e = new EventEmitter();
e.on('x', function(...args) { console.log(1, this === e, args); });
e.prependListener('x', () => console.log(0));
e.once('x', () => console.log('once'));
e.prependOnceListener('x', () => console.log('first once'));
console.log(e.emit('x', 'a', 2), e.emit('x'), e.emit('nobody'));
