const EventEmitter = require('events');
new EventEmitter().on('error', (e) => console.log('handled', e.message)).emit('error', new Error('x'));
