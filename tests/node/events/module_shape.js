const EventEmitter = require('events');
console.log(Object.keys(EventEmitter), EventEmitter.EventEmitter === EventEmitter, typeof EventEmitter.EventEmitterAsyncResource);
console.log(Object.getOwnPropertyNames(EventEmitter.prototype));
