'use strict';
// What the lens calls things: in the words of the program, not in ours.

// In the order of enum class Kind in include/rondo/lens.h.
const kKinds = {
  __proto__: null,
  main: 0,
  timeout: 1,
  interval: 2,
  immediate: 3,
  tick: 4,
  promise: 5,
  microtask: 6,
  request: 7,
  handle: 8,
};

const kOfType = {
  __proto__: null,
  main: kKinds.main,
  Immediate: kKinds.immediate,
  TickObject: kKinds.tick,
  PROMISE: kKinds.promise,
  Microtask: kKinds.microtask,
  MESSAGEPORT: kKinds.handle,
  PIPESERVERWRAP: kKinds.handle,
  PIPEWRAP: kKinds.handle,
  PROCESSWRAP: kKinds.handle,
  SIGNALWRAP: kKinds.handle,
  TCPSERVERWRAP: kKinds.handle,
  TCPWRAP: kKinds.handle,
  TTYWRAP: kKinds.handle,
};

function kindOf(type, resource) {
  if (type === 'Timeout') return resource._repeat ? kKinds.interval : kKinds.timeout;
  return kOfType[type] ?? kKinds.request;
}

function nameOf(callback) {
  return typeof callback === 'function' && callback.name ? ` ${callback.name}` : '';
}

const kWordsOfType = {
  __proto__: null,
  Timeout: ({ _idleTimeout, _repeat }) => `${_repeat ? 'setInterval' : 'setTimeout'} ${_idleTimeout} ms`,
  Immediate: () => 'immediate',
  TickObject: ({ callback }) => `tick${nameOf(callback)}`,
  PROMISE: () => 'promise',
  Microtask: ({ callback }) => `microtask${nameOf(callback)}`,
  FSREQCALLBACK: describeFile,
  FSREQPROMISE: describeFile,
  GETADDRINFOREQWRAP: ({ hostname }) => `lookup ${hostname}`,
  GETNAMEINFOREQWRAP: ({ host }) => `lookup of the name of ${host}`,
  TCPCONNECTWRAP: ({ address, port }) => `connect to ${address}:${port}`,
  PIPECONNECTWRAP: ({ address }) => `connect to ${address}`,
  WRITEWRAP: ({ handle }) => `write to ${describeHandle(handle)}`,
  SHUTDOWNWRAP: ({ handle }) => `end of ${describeHandle(handle)}`,
};

function describeFile({ method, target }) {
  if (typeof target === 'number') return `${method} of descriptor ${target}`;
  return typeof target === 'string' ? `${method} ${target}` : method;
}

// What was made, when it is made: it may not know much of itself yet.
function describeTask(type, resource) {
  const words = kWordsOfType[type];
  if (words !== undefined) return words(resource);
  return kOfType[type] === kKinds.handle ? describeHandle(resource, type) : type;
}

const kHandles = {
  __proto__: null,
  MESSAGEPORT: 'message port',
  PIPESERVERWRAP: 'server',
  PIPEWRAP: 'socket',
  PROCESSWRAP: 'child process',
  SIGNALWRAP: 'signal',
  TCPSERVERWRAP: 'server',
  TCPWRAP: 'socket',
  TTYWRAP: 'terminal',
};

function describeHandle(handle, type) {
  return kHandles[type] ?? 'socket';
}

// What a handle calls back for.
function describeEvent(event, handle) {
  return `'${event}' of ${describeHandle(handle)}`;
}

module.exports = { describeEvent, describeHandle, describeTask, kindOf, kKinds };
