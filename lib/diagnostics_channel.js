'use strict';
// Named channels on which a library publishes what it does. A channel
// without subscribers costs a call of an empty function: it becomes active, with another prototype,
// with the first subscriber.

const { triggerUncaughtException } = binding('errors');
const { setActive, setInactive } = require('internal/trace/active_channels');
const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { isPromise } = require('internal/util/types');

// A mistake of a subscriber is not the publisher's: it is reported when that is done.
function reportLater(error) {
  process.nextTick(() => triggerUncaughtException(error, false));
}

function activate(channel) {
  Object.setPrototypeOf(channel, ActiveChannel.prototype);
  channel._subscribers = [];
  channel._stores = new Map();
  setActive(channel);
}

function deactivateIfUnused(channel) {
  if (channel._subscribers.length > 0 || channel._stores.size > 0) return;
  Object.setPrototypeOf(channel, Channel.prototype);
  channel._subscribers = undefined;
  channel._stores = undefined;
  setInactive(channel);
}

class ActiveChannel {
  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    this._subscribers = [...this._subscribers, subscription];
    setActive(this);
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

  withStoreScope(data) {
    return new StoreScope(this, data);
  }

  runStores(data, fn, thisArg, ...args) {
    using _ = this.withStoreScope(data);
    return Reflect.apply(fn, thisArg, args);
  }
}

// The stores that are bound to a channel have what is published there until the scope is left.
class StoreScope {
  #scopes;

  constructor(channel, data) {
    using scopes = new DisposableStack();
    for (const [store, transform] of channel._stores ?? []) {
      let context = data;
      if (transform !== undefined) {
        try {
          context = transform(data);
        } catch (error) {
          reportLater(error);
          continue;
        }
      }
      scopes.use(store.withScope(context));
    }
    channel.publish(data);
    this.#scopes = scopes.move();
  }

  [Symbol.dispose]() {
    this.#scopes[Symbol.dispose]();
  }
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    this._index = undefined; // of channels that C++ publishes to; programs see it in Node
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

  withStoreScope() {
    return { [Symbol.dispose]() {} };
  }
}

// A channel that is not active lives as long as it is referenced.
const channels = new Map(); // name -> WeakRef
let collected;

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

// ---- From a beginning to an end ------------------------------------------------------------------

function tracedChannel(nameOrChannels, event, className) {
  if (typeof nameOrChannels === 'string') return channel(`tracing:${nameOrChannels}:${event}`);
  if (typeof nameOrChannels === 'object' && nameOrChannels !== null) {
    const given = nameOrChannels[event];
    if (!(given instanceof Channel)) {
      throw new codes.ERR_INVALID_ARG_TYPE(`nameOrChannels.${event}`, ['Channel'], given);
    }
    return given;
  }
  throw new codes.ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', className],
    nameOrChannels);
}

function defineChannel(object, event, value) {
  Object.defineProperty(object, event, { __proto__: null, value });
}

// What subscribe() and unsubscribe() of several channels have in common.
function subscribeAll(owner, events, handlers) {
  for (const event of events) {
    if (handlers[event]) owner[event]?.subscribe(handlers[event]);
  }
}

function unsubscribeAll(owner, events, handlers) {
  let done = true;
  for (const event of events) {
    if (handlers[event] && !owner[event]?.unsubscribe(handlers[event])) done = false;
  }
  return done;
}

class BoundedScope {
  #context;
  #end;
  #scope;

  constructor({ start, end, hasSubscribers }, context) {
    if (!hasSubscribers) return;
    this.#context = context;
    this.#end = end;
    this.#scope = new StoreScope(start, context);
  }

  [Symbol.dispose]() {
    if (this.#scope === undefined) return;
    this.#end.publish(this.#context);
    this.#scope[Symbol.dispose]();
    this.#scope = undefined;
  }
}

const boundedEvents = ['start', 'end'];

class BoundedChannel {
  constructor(nameOrChannels) {
    for (const event of boundedEvents) {
      defineChannel(this, event, tracedChannel(nameOrChannels, event, 'BoundedChannel'));
    }
  }

  get hasSubscribers() {
    return this.start?.hasSubscribers || this.end?.hasSubscribers;
  }

  subscribe(handlers) {
    subscribeAll(this, boundedEvents, handlers);
  }

  unsubscribe(handlers) {
    return unsubscribeAll(this, boundedEvents, handlers);
  }

  withScope(context = {}) {
    return new BoundedScope(this, context);
  }

  run(context, fn, thisArg, ...args) {
    using _ = this.withScope(context ?? {});
    return Reflect.apply(fn, thisArg, args);
  }
}

function boundedChannel(nameOrChannels) {
  return new BoundedChannel(nameOrChannels);
}

// ---- Tracing -----------------------------------------------------------------------------------

const traceEvents = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

function warnOfNonThenable(fn) {
  process.emitWarning(`tracePromise was called with the function '${fn.name || '<anonymous>'}', ` +
    'which returned a non-thenable.');
}

const { then: promiseThen } = Promise.prototype;

class TracingChannel {
  #call; // the part of an operation that runs at once
  #continuation; // what runs when it is done

  constructor(nameOrChannels) {
    const channels = { __proto__: null };
    for (const event of traceEvents) {
      channels[event] = tracedChannel(nameOrChannels, event, 'TracingChannel');
    }
    this.#call = new BoundedChannel({ start: channels.start, end: channels.end });
    this.#continuation = new BoundedChannel({ start: channels.asyncStart, end: channels.asyncEnd });
    defineChannel(this, 'error', channels.error);
  }

  get start() { return this.#call.start; }
  get end() { return this.#call.end; }
  get asyncStart() { return this.#continuation.start; }
  get asyncEnd() { return this.#continuation.end; }

  get hasSubscribers() {
    return this.#call.hasSubscribers || this.#continuation.hasSubscribers ||
      this.error?.hasSubscribers;
  }

  subscribe(handlers) {
    subscribeAll(this, traceEvents, handlers);
  }

  unsubscribe(handlers) {
    return unsubscribeAll(this, traceEvents, handlers);
  }

  #run(context, call) {
    using _ = this.#call.withScope(context);
    try {
      return call();
    } catch (error) {
      context.error = error;
      this.error.publish(context);
      throw error;
    }
  }

  traceSync(fn, context = { __proto__: null }, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    return this.#run(context, () => {
      const result = Reflect.apply(fn, thisArg, args);
      context.result = result;
      return result;
    });
  }

  tracePromise(fn, context = { __proto__: null }, thisArg, ...args) {
    const call = () => {
      const result = Reflect.apply(fn, thisArg, args);
      if (typeof result?.then !== 'function') warnOfNonThenable(fn);
      return result;
    };
    return this.hasSubscribers ? this.#run(context, () => this.#follow(context, call())) : call();
  }

  #follow(context, result) {
    if (typeof result?.then !== 'function') {
      context.result = result;
      return result;
    }
    const resolved = (value) => {
      context.result = value;
      using _ = this.#continuation.withScope(context);
      return value;
    };
    const rejected = (reason) => {
      context.error = reason;
      this.error.publish(context);
      using _ = this.#continuation.withScope(context);
    };
    if (isPromise(result) && Object.getPrototypeOf(result) === Promise.prototype) {
      return Reflect.apply(promiseThen, result, [resolved, (reason) => {
        rejected(reason);
        throw reason;
      }]);
    }
    // What is not a plain promise may have more methods: the caller gets it as it is.
    result.then(resolved, rejected);
    return result;
  }

  traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const { error } = this;
    const continuation = this.#continuation;
    const callback = args.at(position);
    validateFunction(callback, 'callback');

    function traced(reason, result) {
      if (reason) {
        context.error = reason;
        error.publish(context);
      } else {
        context.result = result;
      }
      using _ = continuation.withScope(context);
      return Reflect.apply(callback, this, arguments);
    }

    args.splice(position, 1, traced);
    return this.#run(context, () => Reflect.apply(fn, thisArg, args));
  }
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
  boundedChannel,
  Channel,
  BoundedChannel,
};
