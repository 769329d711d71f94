'use strict';
// What the lens calls things: in the words of the program, not in ours.

const { isProxy } = binding('types');
const { wholeOf } = require('internal/fs/native');
const { Kind } = require('internal/native/enums');
const { childPipes, ownerOf, pipePaths } = require('internal/native/open_handles');
const { currentFolder } = require('internal/process/methods');
const { SafeMap, SafeWeakMap, charCodeAt, slice, startsWith, trimEnd } = require('internal/util/safe');
const { Buffer } = require('buffer');

const { getOwnPropertyDescriptor } = Object;
const { isBuffer } = Buffer;

const kOfType = {
  __proto__: null,
  main: Kind.main,
  beforeExit: Kind.beforeExit,
  exit: Kind.handle,
  unhandledRejection: Kind.microtask, // after these, and before anything else
  Immediate: Kind.immediate,
  TickObject: Kind.tick,
  PROMISE: Kind.promise,
  Microtask: Kind.microtask,
  FSREQCALLBACK: Kind.request,
  FSREQPROMISE: Kind.request,
  GETADDRINFOREQWRAP: Kind.request,
  GETNAMEINFOREQWRAP: Kind.request,
  PIPECONNECTWRAP: Kind.request,
  SHUTDOWNWRAP: Kind.request,
  TCPCONNECTWRAP: Kind.request,
  WRITEWRAP: Kind.request,
  MESSAGEPORT: Kind.handle,
  PIPESERVERWRAP: Kind.handle,
  PIPEWRAP: Kind.handle,
  PROCESSWRAP: Kind.handle,
  SIGNALWRAP: Kind.handle,
  TCPSERVERWRAP: Kind.handle,
  TCPWRAP: Kind.handle,
  TTYWRAP: Kind.handle,
  UDPWRAP: Kind.handle,
};

// What async_hooks calls them, by the names of our own classes.
const kTypesOfClasses = {
  __proto__: null,
  FSReqCallback: 'FSREQCALLBACK',
  FSReqPromise: 'FSREQPROMISE',
  GetAddrInfoReqWrap: 'GETADDRINFOREQWRAP',
  GetNameInfoReqWrap: 'GETNAMEINFOREQWRAP',
  MessagePort: 'MESSAGEPORT',
  Pipe: 'PIPEWRAP',
  PipeConnectWrap: 'PIPECONNECTWRAP',
  Process: 'PROCESSWRAP',
  Promise: 'PROMISE',
  ShutdownWrap: 'SHUTDOWNWRAP',
  Signal: 'SIGNALWRAP',
  TCP: 'TCPWRAP',
  TCPConnectWrap: 'TCPCONNECTWRAP',
  TickObject: 'TickObject',
  UDP: 'UDPWRAP',
  WriteWrap: 'WRITEWRAP',
};

function kindOf(type, resource) {
  if (type === 'Timeout') return resource._repeat ? Kind.interval : Kind.timeout;
  return kOfType[type] ?? Kind.resource;
}

// On one line, whatever the program calls its files and functions.
function printable(text) {
  for (let i = 0; i < text.length; i++) {
    if (isControl(charCodeAt(text, i))) return withoutControls(text);
  }
  return text;
}

function isControl(code) {
  return code < 0x20 || code === 0x7f;
}

function withoutControls(text) {
  let clean = '';
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    clean += isControl(code) ? `\\x${code < 0x10 ? '0' : ''}${code.toString(16)}` : text[i];
  }
  return clean;
}

// Without calling anything of the program's: a name may be computed.
function nameOf(callback) {
  if (typeof callback !== 'function' || isProxy(callback)) return '';
  const name = getOwnPropertyDescriptor(callback, 'name')?.value;
  return typeof name === 'string' ? name : '';
}

// Functions of lib/ that are called by ticks -> what says for whom, of their arguments.
const tickWords = new SafeMap();

// What was made, by its type, when it is made: it may not know much of itself yet.
const kWordsOfType = {
  __proto__: null,
  Timeout: describeTimer,
  Immediate: () => 'immediate',
  TickObject: ({ callback, args }) => tickWords.get(callback)?.(...args) ?? trimEnd(`tick ${nameOf(callback)}`),
  PROMISE: () => 'promise',
  Microtask: () => 'microtask',
  FSREQCALLBACK: describeStep,
  FSREQPROMISE: describeStep,
  GETADDRINFOREQWRAP: ({ hostname }) => `lookup ${hostname}`,
  GETNAMEINFOREQWRAP: ({ hostname, port }) => `lookup of the name of ${withPort(hostname, port)}`,
  TCPCONNECTWRAP: ({ address, port }) => `connect to ${withPort(address, port)}`,
  PIPECONNECTWRAP: ({ address }) => `connect to ${shortened(address)}`,
  WRITEWRAP: ({ handle }) => `write to ${describeHandle(handle)}`,
  SHUTDOWNWRAP: ({ handle }) => `end of writing to ${describeHandle(handle)}`,
};

// A delay may be any number: 1000 / 30.
function rounded(ms) {
  return Math.round(ms * 100) / 100;
}

// Programs may call what they make themselves (AsyncResource) so as well.
function describeTimer({ _idleTimeout, _repeat }) {
  if (_idleTimeout === undefined) return 'Timeout';
  return `${_repeat ? 'setInterval' : 'setTimeout'} ${rounded(_idleTimeout)} ms`;
}

function describeTask(type, resource) {
  const words = kWordsOfType[type];
  try {
    if (words !== undefined) return printable(words(resource));
  } catch {
    return printable(type); // a resource of the program's, of a type that is ours
  }
  if (kOfType[type] !== Kind.handle) return printable(type);
  types.set(resource, type);
  return describeHandle(resource);
}

// Keys of frequent labels: with the same type and key they are the same.
// Undefined for a type, and the key for a resource, whose labels differ all the time.
const kKeysOfType = {
  __proto__: null,
  Timeout: ({ _idleTimeout, _repeat }) => (_repeat ? -_idleTimeout : _idleTimeout),
  Immediate: () => '',
  TickObject: ({ callback }) => (tickWords.has(callback) ? undefined : nameOf(callback)),
  PROMISE: () => '',
  Microtask: () => '',
};

// ---- Files -----------------------------------------------------------------------------------

function shortened(path) {
  const folder = `${currentFolder()}/`;
  return startsWith(path, folder) && path !== folder ? slice(path, folder.length) : path;
}

// What we call in C++ by other names than the program does.
const kMethods = { __proto__: null, readBuffers: 'readv', removeAll: 'rm', writeBuffer: 'write', writeBuffers: 'writev' };

function methodOf({ method }) {
  return kMethods[method] ?? method;
}

// By what it is a part of, if that is known. If not it begins with the step: C++ knows the function that was called.
function describeStep(request) {
  const whole = wholeOf(request);
  if (whole === undefined) return describeFile(request);
  return whole.isStream ? `${describeFile(whole)}: ${methodOf(request)}` : describeFile(whole);
}

function describeFile(operation) {
  const method = methodOf(operation);
  const { target } = operation;
  if (typeof target === 'number') return `${method} of descriptor ${target}`;
  if (typeof target === 'string') return `${method} ${shortened(target)}`;
  return isBuffer(target) ? `${method} ${shortened(`${target}`)}` : method;
}

// Of what is in progress, or runs: the operation that it is a part of.
function describeOperation(type, resource) {
  const isFile = type === 'FSREQCALLBACK' || type === 'FSREQPROMISE';
  const whole = isFile ? wholeOf(resource) : undefined;
  return whole === undefined ? describeTask(type, resource) : printable(describeFile(whole));
}

// Undefined for what the program asks for step by step, if by a stream.
function stepOf(type, resource) {
  const isFile = type === 'FSREQCALLBACK' || type === 'FSREQPROMISE';
  return isFile && !wholeOf(resource)?.isStream ? methodOf(resource) : undefined;
}

// ---- Handles ---------------------------------------------------------------------------------

const types = new SafeWeakMap(); // handle -> type
const names = new SafeWeakMap(); // handle -> what it is called, once that will not change any more

function withPort(address, port) {
  if (address && startsWith(address, '::ffff:')) address = slice(address, 7); // IPv4, on a socket for both
  return address?.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

// The address of one of its ends, or undefined.
function addressOf(handle, method) {
  const out = {};
  if (typeof handle[method] !== 'function' || handle[method](out) !== 0) return undefined;
  return out.port === undefined ? undefined : withPort(out.address, out.port);
}

const kStandard = ['stdin', 'stdout', 'stderr'];

function standardName(handle) {
  const { fd } = handle;
  return fd >= 0 && fd < kStandard.length ? kStandard[fd] : undefined;
}

// [what it is, its name if it has one]
const kHandles = {
  __proto__: null,
  MESSAGEPORT: () => ['message port', ''],
  PIPESERVERWRAP: (handle) => ['server', pathOf(handle)],
  PIPEWRAP: describePipe,
  PROCESSWRAP: describeChild,
  SIGNALWRAP: () => ['process', ''],
  TCPSERVERWRAP: (handle) => ['server', addressOf(handle, 'getsockname')],
  TCPWRAP: (handle) => ['socket', addressOf(handle, 'getpeername')],
  TTYWRAP: (handle) => ['terminal', standardName(handle) && `(${standardName(handle)})`],
  UDPWRAP: (handle) => ['socket', addressOf(handle, 'getsockname')],
};

function pathOf(handle) {
  const path = pipePaths.get(handle);
  return path === undefined ? undefined : shortened(path);
}

function describePipe(handle) {
  const path = pathOf(handle);
  if (path !== undefined) return ['socket', path];
  const ofChild = childPipes.get(handle);
  if (ofChild === undefined) {
    return standardName(handle) === undefined ? ['pipe', undefined] : ['', standardName(handle)];
  }
  const { child, index } = ofChild;
  return [kStandard[index] ?? `pipe ${index}`, `of child process ${child.pid}`];
}

function describeChild(handle) {
  const child = ownerOf(handle);
  if (child?.pid === undefined) return ['child process', undefined];
  return ['child process', `${child.pid} (${child.spawnargs.join(' ')})`];
}

function describeHandle(handle) {
  const known = names.get(handle);
  if (known !== undefined) return known;
  const describe = kHandles[types.get(handle) ?? kTypesOfClasses[handle.constructor?.name]];
  if (describe === undefined) return 'handle';
  const [what, name] = describe(handle);
  if (name === undefined) return what;
  const words = printable(`${what} ${name}`.trim());
  names.set(handle, words);
  return words;
}

// What a handle calls back for.
function describeEvent(event, handle) {
  // Of messages of HTTP: 'GET /path', '200 for GET /path'.
  if (typeof handle.head === 'string') return printable(`'${event}' of ${handle.head}`);
  return `'${event}' of ${describeHandle(handle)}`;
}

module.exports = {
  describeEvent, describeHandle, describeOperation, describeTask, kindOf, kKeysOfType, kTypesOfClasses,
  nameOf, printable, rounded, stepOf, tickWords,
};
