// util.promisify() of a function that returns a promise works, with a warning at each call.
const { promisify } = require('util');
process.on('warning', ({ name, code, message }) => console.log(name, code, message));
const asynchronous = promisify(async (value, callback) => callback(null, value));
asynchronous(1).then(console.log);
asynchronous(2).then(console.log);
promisify((callback) => {
  callback(null, 3);
  return { then() {} };
})().then(console.log);
promisify((callback) => {
  callback(new Error('failed'));
  return Promise.resolve();
})().catch(({ message }) => console.log(message));
promisify(() => { throw new Error('thrown'); })().catch(({ message }) => console.log(message));
