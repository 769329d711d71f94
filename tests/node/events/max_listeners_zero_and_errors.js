const EventEmitter = require('events');
const e = new EventEmitter().setMaxListeners(0);
for (let i = 0; i < 50; i++) e.on('x', () => {});
console.log(e.listenerCount('x'));
for (const n of [-1, 'x', NaN]) {
  try {
    e.setMaxListeners(n);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
