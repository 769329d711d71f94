'use strict';
// navigator.locks, which is also worker_threads.locks: names that one callback at a time has for itself, among all threads.

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');

const kName = Symbol('kName');
const kMode = Symbol('kMode');
const kConstruct = Symbol('kConstruct');

class Lock {
  constructor(secret, name, mode) {
    if (secret !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this[kName] = name;
    this[kMode] = mode;
  }

  get name() {
    if (!(this instanceof Lock)) throw new ERR_INVALID_THIS('Lock');
    return this[kName];
  }

  get mode() {
    if (!(this instanceof Lock)) throw new ERR_INVALID_THIS('Lock');
    return this[kMode];
  }
}

function domException(message, name) {
  const DOMException = require('internal/errors/dom_exception');
  return new DOMException(message, name);
}

// ---- Requests of this thread ----

let client; // made when first used: it belongs to the thread
let lastNumber = 0;
const requests = new Map(); // number -> { name, mode, callback, resolve, reject }

function useClient() {
  if (client === undefined) {
    client = new (binding('locks').LockClient)();
    client.onevents = takeEvents;
  }
  return client;
}

function settle(number, method, value) {
  const request = requests.get(number);
  if (request === undefined) return; // stolen
  requests.delete(number);
  client.release(request.name, number);
  request[method](value);
  takeEvents();
}

// What the callback returns decides when the lock is free again: at once, unless it is a promise.
function run(number, lock) {
  const { callback, resolve } = requests.get(number);
  let result;
  try {
    result = callback(lock);
  } catch (error) {
    return settle(number, 'reject', error);
  }
  if (!require('internal/util/types').isPromise(result)) return settle(number, 'resolve', result);
  if (lock === null) {
    requests.delete(number);
    resolve(result);
    return;
  }
  Promise.prototype.then.call(result,
    (value) => settle(number, 'resolve', value), (error) => settle(number, 'reject', error));
}

function takeEvents() {
  const { kStolen, kUnavailable } = binding('locks');
  for (let event; (event = client.takeEvent()) !== undefined;) {
    const [kind, number] = event;
    const request = requests.get(number);
    if (kind === kStolen) {
      requests.delete(number);
      request?.reject(domException('The operation was aborted', 'AbortError'));
    } else {
      run(number, kind === kUnavailable ? null : new Lock(kConstruct, request.name, request.mode));
    }
  }
}

// Resolves to what the callback returns, when the lock is free again.
function requestLock({ name, mode, steal, ifAvailable }, callback) {
  const { kGiveUp, kSteal, kWait } = binding('locks');
  const number = lastNumber = (lastNumber + 1) >>> 0;
  const { promise, resolve, reject } = Promise.withResolvers();
  requests.set(number, { name, mode, callback, resolve, reject });
  const ifHeld = steal ? kSteal : ifAvailable ? kGiveUp : kWait;
  useClient().request(name, number, mode === 'shared', ifHeld);
  takeEvents();
  return promise;
}

// ---- The class ----

let convertOptions;

function readOptions(options) {
  if (convertOptions === undefined) {
    const { converters, createDictionaryConverter, createEnumConverter } = require('internal/webidl');
    const flag = { converter: Boolean, defaultValue: () => false };
    convertOptions = createDictionaryConverter('LockOptions', [
      { key: 'mode', converter: createEnumConverter('LockMode', ['shared', 'exclusive']), defaultValue: () => 'exclusive' },
      { key: 'ifAvailable', ...flag },
      { key: 'steal', ...flag },
      { key: 'signal', converter: converters.object },
    ]);
  }
  return convertOptions(options);
}

function refuse(message) {
  throw domException(message, 'NotSupportedError');
}

function check(name, { mode, ifAvailable, steal, signal }) {
  validateAbortSignal(signal, 'options.signal');
  if (signal) signal.throwIfAborted();
  if (name[0] === '-') refuse('Lock name may not start with hyphen');
  if (ifAvailable && steal) refuse('ifAvailable and steal are mutually exclusive');
  if (mode !== 'exclusive' && steal) refuse('mode: "shared" and steal are mutually exclusive');
  if (signal && (steal || ifAvailable)) refuse('signal cannot be used with steal or ifAvailable');
}

function publish(event, details) {
  const channel = require('diagnostics_channel').channel(`locks.request.${event}`);
  if (channel.hasSubscribers) channel.publish(details);
}

function publishEnd({ name, mode, ifAvailable, steal }, error) {
  publish('end', { name, mode, ifAvailable, steal, error });
}

// An aborted request stays in the queue, and releases the lock when it gets it.
function requestUntilAborted(request, signal, callback) {
  const { promise, resolve, reject } = Promise.withResolvers();
  let granted = false;
  const onAbort = () => {
    if (!granted) reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const released = requestLock(request, (lock) => Promise.resolve().then(() => {
    if (signal.aborted) return undefined;
    granted = true;
    publish('grant', { name: request.name, mode: request.mode });
    return callback(lock);
  }));
  released.then((value) => {
    publishEnd(request, undefined);
    resolve(value);
  }, (error) => {
    publishEnd(request, error);
    reject(error);
  }).finally(() => signal.removeEventListener('abort', onAbort));
  return promise;
}

class LockManager {
  constructor(secret) {
    if (secret !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  async request(name, options, callback = undefined) {
    if (callback === undefined) {
      callback = options;
      options = undefined;
    }
    name = require('internal/webidl').converters.DOMString(name);
    validateFunction(callback, 'callback');
    const request = { name, ...readOptions(typeof options === 'function' ? undefined : options) };
    const { mode, signal } = request;
    check(name, request);
    publish('start', { name, mode });
    if (signal) return requestUntilAborted(request, signal, callback);
    try {
      const result = await requestLock(request, (lock) => {
        publish(lock === null ? 'miss' : 'grant', { name, mode });
        return callback(lock);
      });
      publishEnd(request, undefined);
      return result;
    } catch (error) {
      publishEnd(request, error);
      throw error;
    }
  }

  // Node's lists those of its own thread only, too.
  async query() {
    if (!(this instanceof LockManager)) throw new ERR_INVALID_THIS('LockManager');
    const snapshot = { held: [], pending: [] };
    const clientId = `node-${process.pid}-${require('internal/worker/thread').threadId}`;
    const list = useClient().list();
    for (let i = 0; i < list.length; i += 3) {
      const [name, isShared, isHeld] = list.slice(i, i + 3);
      snapshot[isHeld ? 'held' : 'pending'].push({ name, mode: isShared ? 'shared' : 'exclusive', clientId });
    }
    return Promise.resolve(snapshot); // as many microtasks as Node's
  }
}

for (const [Class, names] of [[Lock, ['name', 'mode']], [LockManager, ['request', 'query']]]) {
  for (const name of names) Object.defineProperty(Class.prototype, name, { __proto__: null, enumerable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: Class.name });
}
Object.defineProperty(Lock, 'length', { __proto__: null, value: 0 });
Object.defineProperty(LockManager, 'length', { __proto__: null, value: 0 });

module.exports = { Lock, LockManager, locks: new LockManager(kConstruct) };
