const timers = require('timers');
console.log(Object.keys(timers));
console.log(timers.setTimeout === setTimeout, timers.clearImmediate === clearImmediate);
console.log(require('node:timers') === timers, timers.promises === require('timers/promises'));
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate']) {
  console.log(name, globalThis[name].length, globalThis[name].name, Object.getOwnPropertyDescriptor(globalThis, name).enumerable);
}
