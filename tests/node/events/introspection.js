const EventEmitter = require('events');
const e = new EventEmitter();
const f = () => {};
e.on('a', f).once('a', f).on(Symbol('b'), f);
console.log(e.eventNames(), e.listeners('a').map((l) => l === f), e.rawListeners('a').map((l) => l === f), e.rawListeners('a')[1].listener === f);
console.log(e.listenerCount('a'), e.listenerCount('a', f), EventEmitter.listenerCount(e, 'a'), e.getMaxListeners(), EventEmitter.defaultMaxListeners);
console.log(EventEmitter.getEventListeners(e, 'a').length, EventEmitter.getEventListeners(new EventTarget(), 'a'));
