const { EventEmitter } = require('events');
for (const value of [undefined, null, 'text', 42, { a: 1 }]) {
  try {
    new EventEmitter().emit('error', value);
  } catch (e) {
    console.log(e.name, e.code, e.message, e.context);
  }
}
