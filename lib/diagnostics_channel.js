'use strict';
// Named channels on which a library tells what it does to whoever wants to know. A channel that
// nobody listens to costs a call of an empty function: it becomes active, with another prototype,
// when somebody subscribes.

const { triggerUncaughtException } = binding('errors');
const { activeChannels } = require('internal/active_channels');
const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');

// A mistake of a subscriber is not the publisher's: it is reported when that is done.
function reportLater(error) {
  process.nextTick(() => triggerUncaughtException(error, false));
}

function activate(channel) {
  Object.setPrototypeOf(channel, ActiveChannel.prototype);
  channel._subscribers = [];
  channel._stores = new Map();
  keep(channel);
}

function deactivateIfUnused(channel) {
  if (channel._subscribers.length > 0 || channel._stores.size > 0) return;
  Object.setPrototypeOf(channel, Channel.prototype);
  channel._subscribers = undefined;
  channel._stores = undefined;
  activeChannels.delete(channel.name);
}

class ActiveChannel {
  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    this._subscribers = [...this._subscribers, subscription];
    keep(this);
  }

  unsubscribe(subscription) {
    const index = this._subscribers.indexOf(subscription);
    if (index === -1) return false;
    this._subscribers = this._subscribers.filter((_, i) => i !== index);
    deactivateIfUnused(this);
    return true;
  }

  bindStore(store, transform) {
    this._stores.set(store, transform);
  }

  unbindStore(store) {
    if (!this._stores.delete(store)) return false;
    deactivateIfUnused(this);
    return true;
  }

  get hasSubscribers() {
    return true;
  }

  publish(data) {
    const subscribers = this._subscribers;
    for (let i = 0; i < (subscribers?.length ?? 0); i++) {
      try {
        subscribers[i](data, this.name);
      } catch (error) {
        reportLater(error);
      }
    }
  }

  runStores(data, fn, thisArg, ...args) {
    let run = () => {
      this.publish(data);
      return Reflect.apply(fn, thisArg, args);
    };
    for (const [store, transform] of this._stores) run = runInStore(store, transform, data, run);
    return run();
  }
}

function runInStore(store, transform, data, next) {
  return () => {
    let context = data;
    if (transform !== undefined) {
      try {
        context = transform(data);
      } catch (error) {
        reportLater(error);
        return next();
      }
    }
    return store.run(context, next);
  };
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    channels.set(name, new WeakRef(this));
    (collected ??= new FinalizationRegistry(forget)).register(this, name);
  }

  static [Symbol.hasInstance](instance) {
    const prototype = Object.getPrototypeOf(instance);
    return prototype === Channel.prototype || prototype === ActiveChannel.prototype;
  }

  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    activate(this);
    this.subscribe(subscription);
  }

  unsubscribe() {
    return false;
  }

  bindStore(store, transform) {
    activate(this);
    this.bindStore(store, transform);
  }

  unbindStore() {
    return false;
  }

  get hasSubscribers() {
    return false;
  }

  publish() {}

  runStores(data, fn, thisArg, ...args) {
    return Reflect.apply(fn, thisArg, args);
  }
}

// A channel that is not active lives as long as somebody holds it.
const channels = new Map(); // name -> WeakRef
let collected;

function keep(channel) {
  activeChannels.set(channel.name, channel);
}

function forget(name) {
  if (channels.get(name)?.deref() === undefined) channels.delete(name);
}

function channel(name) {
  const found = channels.get(name)?.deref();
  if (found !== undefined) return found;
  if (typeof name !== 'string' && typeof name !== 'symbol') {
    throw new codes.ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  }
  return new Channel(name);
}

function subscribe(name, subscription) {
  channel(name).subscribe(subscription);
}

function unsubscribe(name, subscription) {
  return channel(name).unsubscribe(subscription);
}

function hasSubscribers(name) {
  return channels.get(name)?.deref()?.hasSubscribers ?? false;
}

// ---- Tracing -----------------------------------------------------------------------------------

const traceEvents = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

function tracedChannel(nameOrChannels, event) {
  if (typeof nameOrChannels === 'string') return channel(`tracing:${nameOrChannels}:${event}`);
  if (typeof nameOrChannels === 'object' && nameOrChannels !== null) {
    const given = nameOrChannels[event];
    if (!(given instanceof Channel)) {
      throw new codes.ERR_INVALID_ARG_TYPE(`nameOrChannels.${event}`, ['Channel'], given);
    }
    return given;
  }
  throw new codes.ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', 'TracingChannel'],
    nameOrChannels);
}

class TracingChannel {
  constructor(nameOrChannels) {
    for (const event of traceEvents) {
      Object.defineProperty(this, event, { value: tracedChannel(nameOrChannels, event) });
    }
  }

  get hasSubscribers() {
    return traceEvents.some((event) => this[event]?.hasSubscribers);
  }

  subscribe(handlers) {
    for (const event of traceEvents) {
      if (handlers[event]) this[event]?.subscribe(handlers[event]);
    }
  }

  unsubscribe(handlers) {
    let done = true;
    for (const event of traceEvents) {
      if (handlers[event] && !this[event]?.unsubscribe(handlers[event])) done = false;
    }
    return done;
  }

  traceSync(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    return traceCall(this, context, () => {
      const result = Reflect.apply(fn, thisArg, args);
      context.result = result;
      return result;
    });
  }

  tracePromise(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const { asyncStart, asyncEnd, error } = this;

    function resolved(result) {
      context.result = result;
      asyncStart.publish(context);
      asyncEnd.publish(context);
      return result;
    }

    function rejected(reason) {
      context.error = reason;
      error.publish(context);
      asyncStart.publish(context);
      asyncEnd.publish(context);
      return Promise.reject(reason);
    }

    return traceCall(this, context, () => {
      let promise = Reflect.apply(fn, thisArg, args);
      if (!(promise instanceof Promise)) promise = Promise.resolve(promise);
      return promise.then(resolved, rejected);
    });
  }

  traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const { asyncStart, asyncEnd, error } = this;
    const callback = args.at(position);
    validateFunction(callback, 'callback');

    function traced(reason, result) {
      if (reason) {
        context.error = reason;
        error.publish(context);
      } else {
        context.result = result;
      }
      asyncStart.runStores(context, () => {
        try {
          return Reflect.apply(callback, this, arguments);
        } finally {
          asyncEnd.publish(context);
        }
      });
    }

    args.splice(position, 1, traced);
    return traceCall(this, context, () => Reflect.apply(fn, thisArg, args));
  }
}

// The part of an operation that runs at once.
function traceCall({ start, end, error }, context, call) {
  return start.runStores(context, () => {
    try {
      return call();
    } catch (reason) {
      context.error = reason;
      error.publish(context);
      throw reason;
    } finally {
      end.publish(context);
    }
  });
}

function tracingChannel(nameOrChannels) {
  return new TracingChannel(nameOrChannels);
}

module.exports = {
  channel,
  hasSubscribers,
  subscribe,
  tracingChannel,
  unsubscribe,
  Channel,
};
