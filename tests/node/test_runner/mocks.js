// mock.fn, mock.method, mock.property, mock.timers
const { mock } = require('node:test');
const sum = mock.fn((a, b) => a + b);
console.log(sum(3, 4), sum.mock.callCount(), sum.mock.calls[0].arguments, sum.mock.calls[0].result);
sum.mock.mockImplementationOnce(() => 'once');
console.log(sum(1, 1), sum(1, 1));
const object = { name: 'x', greet() { return `hello ${this.name}`; } };
const spy = mock.method(object, 'greet', () => 'mocked', { times: 1 });
console.log(object.greet(), object.greet(), spy.mock.callCount());
const property = mock.property(object, 'name', 'y');
console.log(object.name, property.mock.accessCount());
mock.restoreAll();
console.log(object.name);
try { mock.method(object, 'nothing'); } catch (error) { console.log(error.code, error.message); }

mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1000 });
const order = [];
setTimeout(() => order.push(`timeout ${Date.now()}`), 50);
const interval = setInterval(() => order.push('interval'), 20);
mock.timers.tick(45);
console.log(order);
mock.timers.tick(10);
clearInterval(interval);
mock.timers.runAll();
console.log(order, new Date().getTime());
mock.timers.reset();
console.log(Date.now() > 1e12);
try { mock.timers.tick(1); } catch (error) { console.log(error.code, error.message); }
