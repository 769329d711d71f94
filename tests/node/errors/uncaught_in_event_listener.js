const EventEmitter = require('events');
const emitter = new EventEmitter();
emitter.on('event', function onEvent() { throw new Error('in listener'); });
emitter.emit('event');
