// As zone.js does: a promise of its own under the name, and `then` of V8's replaced.
const { then } = Promise.prototype;
let calls = 0;
Promise.prototype.then = function (...args) {
  calls++;
  return new Promise((resolve, reject) => Reflect.apply(then, this, [resolve, reject])).constructor === Promise ?
    Reflect.apply(then, this, args) : undefined;
};
process.on('exit', () => console.log('then is called by the program', calls > 0));
require('./fixtures/use_everything.js')();
