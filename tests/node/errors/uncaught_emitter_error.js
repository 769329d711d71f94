const EventEmitter = require('events');
function fail() {
  new EventEmitter().emit('error', new Error('nobody listens'));
}
fail();
