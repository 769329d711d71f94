'use strict';

const timers = require('internal/timers');

const { setTimeout, setImmediate, setInterval, clearTimeout, clearImmediate, clearInterval } = timers;

const kPromisify = Symbol.for('nodejs.util.promisify.custom');
for (const name of ['setTimeout', 'setImmediate']) {
  Object.defineProperty(timers[name], kPromisify, {
    __proto__: null,
    enumerable: true,
    get() { return require('timers/promises')[name]; },
  });
}

module.exports = {
  setTimeout,
  clearTimeout,
  setImmediate,
  clearImmediate,
  setInterval,
  clearInterval,
  get promises() { return require('timers/promises'); },
};
