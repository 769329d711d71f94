'use strict';
// performance.timerify(): a function whose calls become entries.

const { codes } = require('internal/errors');
const { enqueue } = require('internal/perf/observe');
const { createNodeEntry } = require('internal/perf/performance_entry');
const { now } = require('internal/perf/utils');
const { validateFunction, validateObject } = require('internal/validators');

function timerify(fn, options = {}) {
  validateFunction(fn, 'fn');
  validateObject(options, 'options');
  const { histogram } = options;
  if (histogram !== undefined) {
    const { isRecordable } = require('internal/perf/histogram');
    if (!isRecordable(histogram)) {
      throw new codes.ERR_INVALID_ARG_TYPE('options.histogram', 'RecordableHistogram', histogram);
    }
  }

  function called(args, start) {
    const duration = now() - start;
    histogram?.record(Math.ceil(duration * 1e6)); // in nanoseconds
    const entry = createNodeEntry(fn.name, 'function', start, duration, args);
    // What the function was called with once was on the entry itself.
    for (let i = 0; i < args.length; i++) entry[i] = args[i];
    enqueue(entry);
  }

  function timerified(...args) {
    const start = now();
    const result = new.target === undefined ?
      Reflect.apply(fn, this, args) : Reflect.construct(fn, args, fn);
    if (new.target === undefined && typeof result?.finally === 'function') {
      return result.finally(() => called(args, start));
    }
    called(args, start);
    return result;
  }

  Object.defineProperties(timerified, {
    length: { configurable: false, enumerable: true, value: fn.length },
    name: { configurable: false, enumerable: true, value: `timerified ${fn.name}` },
  });
  return timerified;
}

module.exports = timerify;
