'use strict';
// Domains: errors of everything that begins inside of one go to its 'error' handlers. Which domain
// is active travels with async resources (async_hooks), and with emitters, which belong to the
// domain they were made in.

const EventEmitter = require('events');
const { createHook } = require('async_hooks');
const { codes } = require('internal/errors');

// ---- The stack -------------------------------------------------------------------------------

let current = null;
Object.defineProperty(process, 'domain', {
  enumerable: true,
  configurable: true,
  get: () => current,
  set: (value) => { current = value; },
});

let stack = [];
exports._stack = stack;

function setActive(domain) {
  exports.active = process.domain = domain;
}

function setStack(list, active) {
  exports._stack = stack = list;
  setActive(active);
  updateExceptionCapture();
}

// Uncaught exceptions are ours as long as a domain on the stack handles errors.
const { setUncaughtExceptionCaptureCallback: setCapture } = process;

function updateExceptionCapture() {
  setCapture(null);
  if (stack.some((domain) => domain.listenerCount('error') > 0)) {
    setCapture((error) => process.domain._errorHandler(error));
  }
}

function mark(error, properties) {
  if ((typeof error !== 'object' || error === null) && typeof error !== 'function') return;
  for (const name of Object.keys(properties)) {
    Object.defineProperty(error, name,
      { value: properties[name], writable: true, enumerable: false, configurable: true });
  }
}

// What was running is over, in all domains.
function leaveAll() {
  setStack([], null);
}

// The handlers of uncaughtException run outside of all domains: leaving them is the first one.
process.on('newListener', (name, listener) => {
  if (name !== 'uncaughtException' || listener === leaveAll) return;
  process.removeListener(name, leaveAll);
  process.prependListener(name, leaveAll);
});
process.on('removeListener', (name, listener) => {
  if (name !== 'uncaughtException' || listener === leaveAll) return;
  const others = process.listeners(name);
  if (others.length === 1 && others[0] === leaveAll) process.removeListener(name, leaveAll);
});

// ---- Async resources -------------------------------------------------------------------------

// Weakly: the resource itself keeps the domain.
const domainOf = new Map(); // async id -> WeakRef of a domain
const kWeak = Symbol('kWeak');

const hook = createHook({
  init(asyncId, type, triggerAsyncId, resource) {
    if (process.domain === null || process.domain === undefined) return;
    domainOf.set(asyncId, process.domain[kWeak]);
    // A promise of another context does not expose the domain to that context.
    if (type === 'PROMISE' && !(resource instanceof Promise)) return;
    Object.defineProperty(resource, 'domain',
      { value: process.domain, writable: true, enumerable: false, configurable: true });
  },
  before(asyncId) {
    domainOf.get(asyncId)?.deref()?.enter();
  },
  after(asyncId) {
    domainOf.get(asyncId)?.deref()?.exit();
  },
  destroy(asyncId) {
    domainOf.delete(asyncId);
  },
});

// ---- Domains ---------------------------------------------------------------------------------

class Domain extends EventEmitter {
  constructor() {
    super();
    this.members = [];
    this[kWeak] = new WeakRef(this);
    hook.enable();
    // A new listener is not counted yet when that event comes: it has its effect at the next entry.
    this.on('removeListener', updateExceptionCapture);
    this.on('newListener', updateExceptionCapture);
  }
}

exports.Domain = Domain;
exports.createDomain = function createDomain() {
  return new Domain();
};
exports.create = exports.createDomain;
exports.active = null;

Domain.prototype.members = undefined;

// Called with an uncaught exception. Returns whether it was handled.
Domain.prototype._errorHandler = function (error) {
  mark(error, { domain: this });
  if ((typeof error === 'object' && error !== null) || typeof error === 'function') {
    error.domainThrown = true;
  }
  // The handlers run outside of the domain, or what they throw would come here again.
  while (exports.active === this) this.exit();
  let caught = false;
  if (stack.length === 0) {
    if (this.listenerCount('error') > 0) {
      setCapture(null);
      try {
        caught = this.emit('error', error);
      } finally {
        updateExceptionCapture();
      }
    }
  } else {
    try {
      caught = this.emit('error', error);
    } catch (another) {
      // The next domain handles it.
      updateExceptionCapture();
      if (stack.length === 0) throw another;
      setActive(stack[stack.length - 1]);
      caught = process.domain._errorHandler(another);
    }
  }
  leaveAll();
  return caught;
};

Domain.prototype.enter = function () {
  setActive(this);
  stack.push(this);
  updateExceptionCapture();
};

// Leaves those entered since then as well.
Domain.prototype.exit = function () {
  const index = stack.lastIndexOf(this);
  if (index === -1) return;
  stack.splice(index);
  setActive(stack.length === 0 ? undefined : stack[stack.length - 1]);
  updateExceptionCapture();
};

Domain.prototype.add = function (emitter) {
  if (emitter.domain === this) return;
  if (emitter.domain) emitter.domain.remove(emitter);
  // No circles.
  if (this.domain && emitter instanceof Domain) {
    for (let outer = this.domain; outer; outer = outer.domain) {
      if (emitter === outer) return;
    }
  }
  Object.defineProperty(emitter, 'domain',
    { value: this, writable: true, enumerable: false, configurable: true });
  this.members.push(emitter);
};

Domain.prototype.remove = function (emitter) {
  emitter.domain = null;
  const index = this.members.indexOf(emitter);
  if (index !== -1) this.members.splice(index, 1);
};

Domain.prototype.run = function (fn) {
  return runIn(this, fn, this, Array.prototype.slice.call(arguments, 1));
};

function runIn(domain, fn, receiver, args) {
  domain.enter();
  // Not `finally`: what is thrown is for the domain.
  const result = Reflect.apply(fn, receiver, args);
  domain.exit();
  return result;
}

// For callbacks whose first argument is an error.
Domain.prototype.intercept = function (callback) {
  const domain = this;
  return function runIntercepted(...args) {
    if (args[0] && args[0] instanceof Error) {
      const error = args[0];
      error.domainBound = callback;
      error.domainThrown = false;
      mark(error, { domain });
      domain.emit('error', error);
      return undefined;
    }
    return runIn(domain, callback, this, args.slice(1));
  };
};

Domain.prototype.bind = function (callback) {
  const domain = this;
  function runBound(...args) {
    return runIn(domain, callback, this, args);
  }
  Object.defineProperty(runBound, 'domain',
    { value: this, writable: true, enumerable: false, configurable: true });
  return runBound;
};

// ---- Emitters --------------------------------------------------------------------------------

EventEmitter.usingDomains = true;

const { init } = EventEmitter;
EventEmitter.init = function (options) {
  Object.defineProperty(this, 'domain',
    { value: null, writable: true, enumerable: false, configurable: true });
  if (exports.active && !(this instanceof Domain)) this.domain = exports.active;
  return Reflect.apply(init, this, [options]);
};

const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function (...args) {
  const { domain } = this;
  if (domain === null || domain === undefined || this === process) {
    return Reflect.apply(emit, this, args);
  }
  const type = args[0];
  if (type === 'error' && this.listenerCount('error') === 0) {
    return emitToDomain(this, domain, args.length > 1 && args[1] ? args[1] :
      new codes.ERR_UNHANDLED_ERROR(args[1]));
  }
  domain.enter();
  const result = Reflect.apply(emit, this, args);
  domain.exit();
  return result;
};

// The handlers of the domain run outside of it, in the one around it.
function emitToDomain(emitter, domain, error) {
  if (typeof error === 'object') {
    error.domainEmitter = emitter;
    mark(error, { domain });
    error.domainThrown = false;
  }
  const outerStack = stack.slice();
  const outerActive = process.domain;
  let depth = stack.length;
  while (depth > 0 && stack[depth - 1] === outerActive) depth--;
  setStack(stack.slice(0, depth), depth > 0 ? stack[depth - 1] : null);
  domain.emit('error', error);
  setStack(outerStack, outerActive);
  return false;
}
