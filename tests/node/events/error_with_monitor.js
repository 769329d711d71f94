const { EventEmitter, errorMonitor } = require('events');
const e = new EventEmitter();
e.on(errorMonitor, (error) => console.log('monitor', error.message));
e.on('error', (error) => console.log('handler', error.message));
e.emit('error', new Error('x'));
e.removeAllListeners('error');
try {
  e.emit('error', new Error('y'));
} catch (error) {
  console.log('thrown', error.message);
}
