const EventEmitter = require('events');
const e = new EventEmitter();
for (const method of ['on', 'once', 'off', 'prependListener']) {
  try {
    e[method]('x', null);
  } catch (error) {
    console.log(method, error.code, error.message);
  }
}
