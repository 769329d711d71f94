const EventEmitter = require('events');
new EventEmitter().emit('error', { reason: 'an object' });
