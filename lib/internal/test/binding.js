'use strict';
// For Node's own tests, under --expose-internals.

const code = (letter) => letter.charCodeAt(0);

// What is not a binding of ours, or has more in Node's.
const additions = {
  __proto__: null,
  constants: () => ({
    trace: {
      TRACE_EVENT_PHASE_BEGIN: code('B'),
      TRACE_EVENT_PHASE_END: code('E'),
      TRACE_EVENT_PHASE_COMPLETE: code('X'),
      TRACE_EVENT_PHASE_INSTANT: code('I'),
      TRACE_EVENT_PHASE_NESTABLE_ASYNC_BEGIN: code('b'),
      TRACE_EVENT_PHASE_NESTABLE_ASYNC_END: code('e'),
      TRACE_EVENT_PHASE_NESTABLE_ASYNC_INSTANT: code('n'),
      TRACE_EVENT_PHASE_COUNTER: code('C'),
    },
  }),
  trace_events() {
    const { flagOf, isOn, trace } = require('internal/trace/sources');
    return { getCategoryEnabledBuffer: flagOf, isTraceCategoryEnabled: isOn, trace };
  },
};

function internalBinding(name) {
  return additions[name] === undefined ? binding(name) : { ...binding(name), ...additions[name]() };
}

module.exports = { internalBinding };
