'use strict';
// The global console: an object of its own, whose prototype is empty, with the methods of Console and
// the streams of the process, which are opened when something is first written.

const { Console, initialize } = require('internal/console/constructor');

const console = Object.create({});

for (const [key, method] of Object.entries(Console.prototype)) {
  const bound = method.bind(console);
  Object.defineProperty(bound, 'name', { __proto__: null, value: key });
  // As on the web, none of them has required arguments.
  Object.defineProperty(bound, 'length', { __proto__: null, value: 0 });
  console[key] = bound;
}
initialize(console, undefined, undefined, {});
console.Console = Console;

// What the engine's console has and Node's has not is meant for an inspector; without one it does nothing.
const { console: engineConsole } = globalThis;
for (const key of ['profile', 'profileEnd', 'timeStamp', 'context', 'createTask']) {
  console[key] = engineConsole?.[key] ?? { [key]() {} }[key];
}

for (const name of ['stdout', 'stderr']) {
  let stream;
  Object.defineProperty(console, `_${name}`, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      stream ??= process[name];
      return stream;
    },
    set(value) {
      stream = value;
    },
  });
}

module.exports = console;
