const EventEmitter = require('events');
function Old() { if (!(this instanceof Old)) return new Old(); EventEmitter.call(this); }
Object.setPrototypeOf(Old.prototype, EventEmitter.prototype);
const o = Old();
o.on('x', (v) => console.log('heard', v));
o.emit('x', 1);
const mixin = Object.assign({}, EventEmitter.prototype);
mixin.on('x', () => console.log('mixin'));
mixin.emit('x');
