'use strict';
// Hooks that are enabled in a tick follow the end of it, and ticks that were added before.
const { createHook, executionAsyncId, triggerAsyncId } = require('node:async_hooks');

const events = [];
const names = new Map();
const hook = createHook({
  init: (id, type) => { names.set(id, type); },
  before: (id) => events.push(`before ${names.get(id) ?? 'known'}`),
  after: (id) => events.push(`after ${names.get(id) ?? 'known'}`),
  destroy: (id) => events.push(`destroy ${names.get(id) ?? 'known'}`),
});
const show = (label) => {
  console.log(label, events.splice(0).join(', '));
};

const steps = [
  (next) => {
    process.nextTick(() => {
      hook.enable();
      process.nextTick(() => events.push('inner'));
    });
    process.nextTick((one, two) => events.push(`added before ${one}${two} ${executionAsyncId() > 0} ${triggerAsyncId() > 0}`), 'a', 'b');
    process.nextTick(() => hook.disable());
    process.nextTick(() => events.push('unobserved'));
    setImmediate(next);
  },
  (next) => {
    setImmediate(() => {
      process.nextTick(() => {
        hook.enable();
        setImmediate(() => events.push('immediate'));
      });
      setImmediate(() => {
        hook.disable();
        next();
      });
    });
  },
];
(function run(i) {
  if (i > 0) show(i);
  if (i < steps.length) steps[i](() => run(i + 1));
})(0);
