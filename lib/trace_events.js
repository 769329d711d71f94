'use strict';
// node:trace_events: which categories of events are written to the log. lib/internal/trace/ has the events.

const { ownsProcessState } = require('internal/worker');
const {
  ERR_TRACE_EVENTS_CATEGORY_REQUIRED, ERR_TRACE_EVENTS_UNAVAILABLE,
} = require('internal/errors').codes;

if (!ownsProcessState) throw new ERR_TRACE_EVENTS_UNAVAILABLE();

const { getOptionValue } = require('internal/options');
const permission = require('internal/process/permission');
const { disable, enable } = require('internal/trace/sources');
const { customInspectSymbol } = require('internal/util');
const { format } = require('internal/util/inspect');
const { validateObject, validateStringArray } = require('internal/validators');
const native = binding('trace_events');

const kMostEnabled = 10; // more are taken for a leak
const enabled = new Set();

class Tracing {
  #categories;
  #unique;

  constructor(categories) {
    this.#categories = categories;
    this.#unique = [...new Set(categories)];
  }

  enable() {
    if (this.enabled) return;
    permission.check('fs.write', getOptionValue('--trace-event-file-pattern') ?? 'node_trace.1.log');
    enabled.add(this);
    enable(this.#unique);
    if (enabled.size > kMostEnabled) {
      process.emitWarning('Possible trace_events memory leak detected. There are more than ' +
        `${kMostEnabled} enabled Tracing objects.`);
    }
  }

  disable() {
    if (enabled.delete(this)) disable(this.#unique);
  }

  get enabled() {
    return enabled.has(this);
  }

  get categories() {
    return this.#categories.join(',');
  }

  [customInspectSymbol](depth) {
    if (typeof depth === 'number' && depth < 0) return this;
    return `Tracing ${format({ enabled: this.enabled, categories: this.categories })}`;
  }
}

function createTracing(options) {
  validateObject(options, 'options');
  validateStringArray(options.categories, 'options.categories');
  if (options.categories.length === 0) throw new ERR_TRACE_EVENTS_CATEGORY_REQUIRED();
  return new Tracing(options.categories);
}

function getEnabledCategories() {
  const categories = native.getCategories();
  return categories.length === 0 ? undefined : categories.join(',');
}

module.exports = { createTracing, getEnabledCategories };
