'use strict';

const timers = require('internal/timers');
const { deprecate } = require('internal/util/deprecate');

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
  _unrefActive: deprecate(timers.unrefActive,
    'timers._unrefActive() is deprecated. Please use timeout.refresh() instead.', 'DEP0127'),
  active: deprecate(timers.active,
    'timers.active() is deprecated. Please use timeout.refresh() instead.', 'DEP0126'),
  unenroll: deprecate(timers.unenroll,
    'timers.unenroll() is deprecated. Please use clearTimeout instead.', 'DEP0096'),
  enroll: deprecate(timers.enroll,
    'timers.enroll() is deprecated. Please use setTimeout instead.', 'DEP0095'),
  get promises() { return require('timers/promises'); },
};
