'use strict';
// The global console: an object of its own, whose prototype is empty, with the methods of Console and
// the streams of the process, which are opened when something is first written.

const { Console, initialize } = require('internal/console/constructor');
const engineConsole = require('internal/console/engine');
const stdio = require('internal/process/stdio');

const { __lookupGetter__: lookupGetter } = Object.prototype;
const unopenedDescriptors = {};
const console = Object.create({});

for (const [key, method] of Object.entries(Console.prototype)) {
  const bound = method.bind(console);
  Object.defineProperty(bound, 'name', { __proto__: null, value: key });
  // As on the web, none of them has required arguments.
  Object.defineProperty(bound, 'length', { __proto__: null, value: 0 });
  console[key] = bound;
}
initialize(console, undefined, undefined, { unopenedDescriptor: (name) => unopenedDescriptors[name]() });
console.Console = Console;

// What V8's console has beyond these methods is for the inspector only.
for (const key of ['profile', 'profileEnd', 'timeStamp', 'context', 'createTask']) {
  console[key] = engineConsole?.[key] ?? { [key]() {} }[key];
}

for (const name of ['stdout', 'stderr']) {
  const key = `_${name}`;
  const getOwn = Reflect.apply(lookupGetter, process, [name]);
  let stream;
  // Once something was written, whatever becomes of process[name].
  let isOwn = false;
  const get = () => {
    stream ??= isOwn ? stdio[name]() : process[name];
    return stream;
  };
  Object.defineProperty(console, key, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get,
    set(value) {
      stream = value;
    },
  });
  // Unless a program has replaced the stream.
  unopenedDescriptors[name] = () => {
    if (stream !== undefined || Reflect.apply(lookupGetter, console, [key]) !== get) return -1;
    isOwn ||= Reflect.apply(lookupGetter, process, [name]) === getOwn;
    return isOwn ? stdio.unopenedDescriptor(name) : -1;
  };
}

module.exports = console;
