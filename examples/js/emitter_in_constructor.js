// An event emitted by a constructor: no handler can be attached yet, and the first class prints nothing. The second
// emits by nextTick, when the handler is there.
const EventEmitter = require('node:events');

class TooEarly extends EventEmitter {
  constructor() {
    super();
    this.emit('event');
  }
}

class InTime extends EventEmitter {
  constructor() {
    super();
    process.nextTick(() => {
      this.emit('event');
    });
  }
}

for (const MyEmitter of [TooEarly, InTime]) {
  const myEmitter = new MyEmitter();
  myEmitter.on('event', () => {
    console.log(`${MyEmitter.name}: an event occurred!`);
  });
}
