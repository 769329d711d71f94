const EventEmitter = require('events');
const error = new Error('made early');
setTimeout(() => {
  new EventEmitter().emit('error', error);
}, 1);
