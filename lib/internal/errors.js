'use strict';
// Errors with Node's codes, classes and shapes. The messages are in internal/errors/messages; here
// is what makes errors out of them, the errors of system calls, and the text of stack traces.

const { formatList, inspect, receivedValue } = require('internal/errors/descriptions');
const { kSystemError, messages } = require('internal/errors/messages');
const { visibleFrames } = require('internal/errors/stack_frames');

const { captureStackTrace } = Error;
const errorToString = Error.prototype.toString;

// An error with this symbol has its code in the first line of its stack: `TypeError [ERR_X]:
// message`.
const kIsNodeError = Symbol('kIsNodeError');
// A function under this symbol supplies the stack that is printed when the error ends the program.
const kEnhanceStackBeforeInspector = Symbol('kEnhanceStackBeforeInspector');

function defineHidden(object, key, value) {
  Object.defineProperty(object, key, {
    __proto__: null, value, enumerable: false, writable: true, configurable: true,
  });
}

function fillIn(text, args) {
  if (args.length === 0) return text;
  return require('internal/util/inspect').format(text, ...args);
}

function getMessage(code, args, error) {
  const message = messages[code][1];
  return typeof message === 'function' ?
    Reflect.apply(message, error, args) : fillIn(message, args);
}

// ---- Classes by code ----

function makeNodeErrorClass(Base, code) {
  return class NodeError extends Base {
    constructor(...args) {
      super();
      this.code = code;
      defineHidden(this, 'message', getMessage(code, args, this));
    }

    // Web platform tests want `error.constructor` to be the standard class.
    get ['constructor']() {
      return Base;
    }

    // What Node's own files throw inside hideStackFrames(), which takes the frames off here.
    static get HideStackFramesError() {
      return this;
    }

    get [kIsNodeError]() {
      return true;
    }

    toString() {
      return `${this.name} [${code}]: ${this.message}`;
    }
  };
}

function contextMessage(prefix, context) {
  let message = `${prefix}: ${context.syscall} returned ${context.code} (${context.message})`;
  if (context.path !== undefined) message += ` ${context.path}`;
  if (context.dest !== undefined) message += ` => ${context.dest}`;
  return message;
}

function defineContextProperty(error, context, key, decode, encode) {
  Object.defineProperty(error, key, {
    __proto__: null,
    get() { return decode(context[key]); },
    set(value) { context[key] = encode(value); },
    enumerable: true,
    configurable: true,
  });
}

function identity(value) {
  return value;
}

function pathToString(path) {
  return path != null ? path.toString() : path;
}

function pathFromString(path) {
  return path ? Buffer.from(path.toString()) : undefined;
}

// A failed system call, described by a context { errno, code, message, syscall, path?, dest? }.
class SystemError extends Error {
  constructor(code, context) {
    super();
    this.code = code;
    defineHidden(this, 'name', 'SystemError');
    defineHidden(this, 'message', contextMessage(messages[code][1], context));
    Object.defineProperty(this, kIsNodeError, {
      __proto__: null, value: true, enumerable: false, writable: false, configurable: true,
    });
    Object.defineProperty(this, 'info', {
      __proto__: null, value: context, enumerable: true, writable: false, configurable: true,
    });
    defineContextProperty(this, context, 'errno', identity, identity);
    defineContextProperty(this, context, 'syscall', identity, identity);
    if (context.path !== undefined) {
      defineContextProperty(this, context, 'path', pathToString, pathFromString);
    }
    if (context.dest !== undefined) {
      defineContextProperty(this, context, 'dest', pathToString, pathFromString);
    }
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [Symbol.for('nodejs.util.inspect.custom')](recurseTimes, context) {
    return inspect(this, { ...context, getters: true, customInspect: false });
  }
}

function makeSystemErrorClass(code) {
  return class NodeError extends SystemError {
    constructor(context) {
      super(code, context);
    }
  };
}

function makeErrorClass(code) {
  const Base = messages[code][0];
  if (Base === kSystemError) return makeSystemErrorClass(code);
  const NodeError = makeNodeErrorClass(Base, code);
  for (let i = 2; i < messages[code].length; i++) {
    const OtherBase = messages[code][i];
    NodeError[OtherBase.name] = makeNodeErrorClass(OtherBase, code);
  }
  return NodeError;
}

// A program meets few of the codes: a class is made when it is first asked for.
const codes = new Proxy({ __proto__: null }, {
  __proto__: null,
  get(classes, code) {
    if (classes[code] === undefined && messages[code] !== undefined) {
      classes[code] = makeErrorClass(code);
    }
    return classes[code];
  },
  has(classes, code) {
    return messages[code] !== undefined;
  },
});

// Adds a code to the table.
function E(code, message, Base, ...otherBases) {
  messages[code] = [Base === SystemError ? kSystemError : Base, message, ...otherBases];
}

// ---- Frames ----

// Makes errors thrown by `validate` look as if thrown by its caller.
function hideStackFrames(validate) {
  function wrapped(...args) {
    try {
      return Reflect.apply(validate, this, args);
    } catch (error) {
      if (Error.stackTraceLimit) captureStackTrace(error, wrapped);
      throw error;
    }
  }
  wrapped.withoutStackTrace = validate;
  return wrapped;
}

function isErrorStackTraceLimitWritable() {
  const descriptor = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  if (descriptor === undefined) return Object.isExtensible(Error);
  return Object.hasOwn(descriptor, 'writable') ? descriptor.writable : descriptor.set !== undefined;
}

// ---- Errors without a code of ours ----

class AbortError extends Error {
  constructor(message = 'The operation was aborted', options = undefined) {
    if (options !== undefined && typeof options !== 'object') {
      throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    }
    super(message, options);
    this.code = 'ABORT_ERR';
    this.name = 'AbortError';
  }
}

// An Error with further properties.
function genericNodeError(message, properties) {
  return Object.assign(new Error(message), properties);
}

class NodeAggregateError extends AggregateError {
  constructor(errors, message) {
    super(errors, message);
    this.code = errors[0]?.code;
  }

  get [kIsNodeError]() {
    return true;
  }

  get ['constructor']() {
    return AggregateError;
  }
}

// Joins an error met while another one was being handled. Either may be absent.
function aggregateTwoErrors(innerError, outerError) {
  if (!innerError || !outerError || innerError === outerError) return innerError || outerError;
  if (Array.isArray(outerError.errors)) {
    outerError.errors.push(innerError);
    return outerError;
  }
  const error = new AggregateError([outerError, innerError], outerError.message);
  error.code = outerError.code;
  return error;
}

// ---- Errors of system calls ----

let errorMap;

// errno -> [name, text]
function uvErrmapGet(errno) {
  errorMap ??= binding('uv').getErrorMap();
  return errorMap.get(errno);
}

function systemErrorName(errno) {
  const entry = uvErrmapGet(errno);
  return entry ? entry[0] : `Unknown system error ${errno}`;
}

function hostAndPort(address, port) {
  if (port > 0) return ` ${address}:${port}`;
  return address ? ` ${address}` : '';
}

// The classes below exist to be called with `new`, but what they make is a plain Error.
// `skipFrames` is the function whose caller the stack begins with.
function plainError(message, properties, skipFrames) {
  const error = new Error(message);
  Object.assign(error, properties);
  if (Error.stackTraceLimit) captureStackTrace(error, skipFrames);
  return error;
}

// "open ENOENT detail"
class ErrnoException {
  constructor(errno, syscall, original) {
    const code = systemErrorName(errno);
    const message = original ? `${syscall} ${code} ${original}` : `${syscall} ${code}`;
    return plainError(message, { errno, code, syscall }, ErrnoException);
  }
}

// "ENOENT: no such file or directory, open '/a' -> '/b'"
class UVException {
  constructor(context) {
    const [code, text] = uvErrmapGet(context.errno) ?? ['UNKNOWN', 'unknown error'];
    let message = `${code}: ${context.message || text}, ${context.syscall}`;
    const properties = {};
    for (const key of Object.keys(context)) {
      if (key !== 'message' && key !== 'path' && key !== 'dest') properties[key] = context[key];
    }
    properties.code = code;
    if (context.path) {
      properties.path = context.path.toString();
      message += ` '${properties.path}'`;
    }
    if (context.dest) {
      properties.dest = context.dest.toString();
      message += ` -> '${properties.dest}'`;
    }
    return plainError(message, properties, UVException);
  }
}

// "connect ECONNREFUSED: connection refused 127.0.0.1:80"
class UVExceptionWithHostPort {
  constructor(errno, syscall, address, port) {
    const [code, text] = uvErrmapGet(errno) ?? ['UNKNOWN', 'unknown error'];
    const properties = { code, errno, syscall, address };
    if (port) properties.port = port;
    return plainError(`${syscall} ${code}: ${text}${hostAndPort(address, port)}`, properties,
      UVExceptionWithHostPort);
  }
}

// "connect ECONNREFUSED 127.0.0.1:80 - Local (...)"
class ExceptionWithHostPort {
  constructor(errno, syscall, address, port, additional) {
    // The permission model denies with an error.
    const isDenied = typeof errno === 'object';
    const code = isDenied ? errno.code : systemErrorName(errno);
    const details = isDenied ? ` ${errno.message}` :
      hostAndPort(address, port) + (additional ? ` - Local (${additional})` : '');
    const properties = { errno, code, syscall, address };
    if (port) properties.port = port;
    return plainError(`${syscall} ${code}${details}`, properties, ExceptionWithHostPort);
  }
}

// "getaddrinfo ENOTFOUND example.invalid"; the code is a number of the resolver's or a name.
class DNSException {
  constructor(code, syscall, hostname) {
    let errno;
    if (typeof code === 'object') {
      code = code.code; // denied by the permission model
    } else if (typeof code === 'number') {
      errno = code;
      // Both of the resolver's "no such host" codes are reported under one name.
      const { UV_EAI_NODATA, UV_EAI_NONAME } = binding('uv');
      code = errno === UV_EAI_NODATA || errno === UV_EAI_NONAME ?
        'ENOTFOUND' : systemErrorName(errno);
    }
    const properties = { errno, code, syscall };
    if (hostname) properties.hostname = hostname;
    const message = `${syscall} ${code}${hostname ? ` ${hostname}` : ''}`;
    return plainError(message, properties, DNSException);
  }
}

class ConnResetException extends Error {
  constructor(message) {
    super(message);
    this.code = 'ECONNRESET';
  }

  get ['constructor']() {
    return Error;
  }
}

// ---- Questions about errors ----

function isErrorLike(value) {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'stack');
}

function isStackOverflowError(error) {
  return error?.name === 'RangeError' && error.message === 'Maximum call stack size exceeded';
}

// ---- Stack traces as text ----

// error -> function of (error, trace), for a caller who wants the call sites of one error.
const overrideStackTrace = new WeakMap();

// The first line of a stack.
function errorHeader(error) {
  return kIsNodeError in error ?
    `${error.name} [${error.code}]: ${error.message}` : Reflect.apply(errorToString, error, []);
}

function defaultPrepareStackTrace(error, trace) {
  const header = errorHeader(error);
  return trace.length === 0 ? header : `${header}\n    at ${trace.join('\n    at ')}`;
}

// Another one while source maps are enabled.
let internalPrepareStackTrace = defaultPrepareStackTrace;

function setInternalPrepareStackTrace(prepare) {
  internalPrepareStackTrace = prepare;
}

// The value of Error.prepareStackTrace until a program sets another.
function ErrorPrepareStackTrace(error, trace) {
  return internalPrepareStackTrace(error, trace);
}

// The runtime calls this when the stack of an error is read for the first time. `contextGlobal` is
// the global object of the context the error was made in: a vm context can have a prepareStackTrace
// of its own.
function prepareStackTraceCallback(contextGlobal, error, trace) {
  trace = visibleFrames(trace);
  const override = overrideStackTrace.get(error);
  if (override !== undefined) {
    overrideStackTrace.delete(error);
    return override(error, trace);
  }
  const ContextError = contextGlobal.Error;
  let prepare = ContextError?.prepareStackTrace;
  if (typeof prepare === 'function' && prepare !== ErrorPrepareStackTrace) {
    return ContextError.prepareStackTrace(error, trace);
  }
  prepare = Error.prepareStackTrace;
  if (typeof prepare === 'function' && prepare !== ErrorPrepareStackTrace) {
    return Error.prepareStackTrace(error, trace);
  }
  return internalPrepareStackTrace(error, trace);
}

// The default, for programs to see and to replace.
function setUpStackTraces() {
  defineHidden(Error, 'prepareStackTrace', ErrorPrepareStackTrace);
}

// What the runtime prints of an error that ends the program.
const fatalExceptionStackEnhancers = {
  // The stack, with what the thrower wants to add to it.
  beforeInspector(error) {
    if (typeof error[kEnhanceStackBeforeInspector] !== 'function') return error.stack;
    try {
      return error[kEnhanceStackBeforeInspector]();
    } catch {
      return error.stack;
    }
  },

  // The whole error: stack, properties, cause.
  afterInspector(error) {
    const originalStack = error.stack;
    const { defaultOptions } = require('internal/util/inspect').inspect;
    const { stderr } = process;
    try {
      return inspect(error, {
        colors: require('internal/util/colors').shouldColorize(stderr),
        customInspect: false,
        depth: Math.max(defaultOptions.depth, 5),
      });
    } catch {
      return originalStack;
    }
  },
};

module.exports = {
  AbortError,
  ConnResetException,
  DNSException,
  E,
  ErrnoException,
  ErrorPrepareStackTrace,
  ExceptionWithHostPort,
  NodeAggregateError,
  SystemError,
  UVException,
  UVExceptionWithHostPort,
  aggregateTwoErrors,
  codes,
  defaultPrepareStackTrace,
  determineSpecificType: receivedValue,
  errorHeader,
  fatalExceptionStackEnhancers,
  formatList,
  genericNodeError,
  getMessage,
  hideStackFrames,
  isErrorLike,
  isErrorStackTraceLimitWritable,
  isStackOverflowError,
  kEnhanceStackBeforeInspector,
  kIsNodeError,
  overrideStackTrace,
  prepareStackTraceCallback,
  setInternalPrepareStackTrace,
  setUpStackTraces,
  uvErrmapGet,
};
