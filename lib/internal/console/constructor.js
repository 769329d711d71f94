'use strict';
// The Console class, and what the global console shares with it.

const {
  codes: { ERR_CONSOLE_WRITABLE_STREAM, ERR_INCOMPATIBLE_OPTION_PAIR },
} = require('internal/errors');
const { validateArray, validateInteger, validateObject, validateOneOf } = require('internal/validators');
const { activeChannels } = require('internal/trace/active_channels');
const { formatDuration } = require('internal/console/duration');
const { formatArguments, inspect } = require('internal/util/inspect');
const { isMap, isTypedArray } = require('internal/util/types');
const { kWriteLine } = require('internal/console/fast_path');
const { traced } = require('internal/trace/traced');
const { writeLine } = binding('stdio');

const kDefaultGroupIndentation = 2;
const kMostGroupIndentation = 1000;
const kColorOptions = { colors: true };
const kPlainOptions = {};

// What a console remembers: counts, timers are in `_times`, the indentation of groups, its options.
const kState = Symbol('kState');

function noop() {}

function Console(options) {
  // Users call it without new.
  if (!new.target) return Reflect.construct(Console, arguments);

  if (!options || typeof options.write === 'function') {
    options = { stdout: options, stderr: arguments[1], ignoreErrors: arguments[2] };
  }
  const {
    stdout,
    stderr = stdout,
    ignoreErrors = true,
    colorMode = 'auto',
    inspectOptions,
    groupIndentation,
  } = options;

  if (!stdout || typeof stdout.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM('stdout');
  if (!stderr || typeof stderr.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM('stderr');
  validateOneOf(colorMode, 'colorMode', ['auto', true, false]);
  if (groupIndentation !== undefined) {
    validateInteger(groupIndentation, 'groupIndentation', 0, kMostGroupIndentation);
  }
  if (inspectOptions !== undefined) {
    validateObject(inspectOptions, 'options.inspectOptions');
    // A map has other options for each stream.
    for (const each of isMap(inspectOptions) ? inspectOptions.values() : [inspectOptions]) {
      if (each.colors !== undefined && options.colorMode !== undefined) {
        throw new ERR_INCOMPATIBLE_OPTION_PAIR('options.inspectOptions.color', 'colorMode');
      }
    }
  }

  // A method taken from a console works without it. Overridden in a subclass: that one.
  for (const key of Object.keys(Console.prototype)) {
    const method = this[key].bind(this);
    Object.defineProperty(method, 'name', { __proto__: null, value: key });
    this[key] = method;
  }
  hide(this, '_stdout', stdout);
  hide(this, '_stderr', stderr);
  initialize(this, stdout, stderr, { ignoreErrors, colorMode, inspectOptions, groupIndentation });
}

function hide(console, key, value) {
  Object.defineProperty(console, key, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
  });
}

// Gives a console its hidden properties; the global one has its streams looked up later.
// unopenedDescriptor(name): the descriptor to write to as long as that stream is not needed, or -1.
function initialize(console, stdout, stderr, {
  ignoreErrors = true,
  colorMode = 'auto',
  inspectOptions,
  groupIndentation = kDefaultGroupIndentation,
  unopenedDescriptor = () => -1,
}) {
  hide(console, '_stdoutErrorHandler', createErrorHandler(() => stdout ?? console._stdout));
  hide(console, '_stderrErrorHandler', createErrorHandler(() => stderr ?? console._stderr));
  hide(console, '_ignoreErrors', Boolean(ignoreErrors));
  hide(console, '_times', new Map());
  hide(console, kState, {
    counts: new Map(),
    colorMode,
    inspectOptions,
    groupIndent: '',
    groupIndentation,
    unopenedDescriptor,
  });
  Object.defineProperty(console, Symbol.toStringTag, {
    __proto__: null, value: 'console', writable: false, enumerable: false, configurable: true,
  });
}

Object.defineProperty(Console, Symbol.hasInstance, {
  __proto__: null,
  value(instance) {
    return instance !== null && instance !== undefined && instance[kState] !== undefined;
  },
});

// ---- writing ----

// An error that arrives after the write must not end the program either.
function createErrorHandler(getStream) {
  return (error) => {
    if (!error) return;
    const stream = getStream();
    if (!stream._writableState?.errorEmitted && stream.listenerCount('error') === 0) {
      stream.once('error', noop);
    }
  };
}

function streamOf(console, name) {
  return name === 'stdout' ? console._stdout : console._stderr;
}

function write(console, name, string) {
  const { groupIndent, unopenedDescriptor } = console[kState];
  if (groupIndent.length !== 0) {
    if (string.includes('\n')) string = string.replaceAll('\n', `\n${groupIndent}`);
    string = groupIndent + string;
  }
  const fd = unopenedDescriptor(name);
  if (fd >= 0 && writeLine(fd, string) >= 0) return;
  const stream = streamOf(console, name);
  if (stream[kWriteLine]?.(string) === true) return;
  string += '\n';
  if (console._ignoreErrors === false) {
    stream.write(string);
    return;
  }
  // There may be no listener for errors of stdout, and logging must not crash the program.
  try {
    stream.once('error', noop);
    stream.write(string, name === 'stdout' ? console._stdoutErrorHandler : console._stderrErrorHandler);
  } catch (error) {
    if (isStackOverflow(error)) throw error;
  } finally {
    stream.removeListener('error', noop);
  }
}

function isStackOverflow(error) {
  return require('internal/errors').isStackOverflowError(error);
}

function shouldColorize(console, name) {
  // A stream that is not open is not a terminal.
  const stream = console[kState].unopenedDescriptor(name) >= 0 ? undefined : streamOf(console, name);
  return require('internal/util/colors').shouldColorize(stream);
}

function inspectOptionsFor(console, name) {
  const { colorMode, inspectOptions: all } = console[kState];
  const color = colorMode === 'auto' ? shouldColorize(console, name) : colorMode;
  const inspectOptions = all && isMap(all) ? all.get(streamOf(console, name)) : all;
  if (inspectOptions) {
    if (inspectOptions.colors === undefined) inspectOptions.colors = color;
    return inspectOptions;
  }
  return color ? kColorOptions : kPlainOptions;
}

function format(console, name, args) {
  if (args.length === 1 && typeof args[0] === 'string') return args[0];
  return formatArguments(inspectOptionsFor(console, name), args);
}

// ---- timers ----

// Whether there is such a timer.
function logTime(console, method, label, data) {
  const start = console._times.get(label);
  if (start === undefined) {
    process.emitWarning(`No such label '${label}' for ${method}`);
    return false;
  }
  const [seconds, nanoseconds] = process.hrtime(start);
  const duration = formatDuration(seconds * 1000 + nanoseconds / 1e6);
  if (data === undefined) console.log('%s: %s', label, duration);
  else console.log('%s: %s', label, duration, ...data);
  return true;
}

// ---- methods ----

// A method that writes its arguments, and publishes them on its channel.
function writes(key, name) {
  const channel = `console.${key}`;
  return {
    [key](...args) {
      if (activeChannels.size !== 0) activeChannels.get(channel)?.publish(args);
      write(this, name, format(this, name, args));
    },
  };
}

const methods = {
  ...writes('log', 'stdout'),
  ...writes('info', 'stdout'),
  ...writes('debug', 'stdout'),
  ...writes('warn', 'stderr'),
  ...writes('error', 'stderr'),

  dir(object, options) {
    write(this, 'stdout', inspect(object, {
      customInspect: false,
      ...inspectOptionsFor(this, 'stdout'),
      ...options,
    }));
  },

  time(label = 'default') {
    label = `${label}`;
    if (this._times.has(label)) {
      process.emitWarning(`Label '${label}' already exists for console.time()`);
      return;
    }
    this._times.set(label, process.hrtime());
    if (traced.console !== undefined) traced.console('b', `time::${label}`);
  },

  timeEnd(label = 'default') {
    label = `${label}`;
    if (logTime(this, 'console.timeEnd()', label)) this._times.delete(label);
    if (traced.console !== undefined) traced.console('e', `time::${label}`);
  },

  timeLog(label = 'default', ...data) {
    logTime(this, 'console.timeLog()', `${label}`, data);
    if (traced.console !== undefined) traced.console('n', `time::${label}`);
  },

  trace: function trace(...args) {
    const error = { name: 'Trace', message: format(this, 'stderr', args) };
    Error.captureStackTrace(error, trace);
    this.error(error.stack);
  },

  assert(expression, ...args) {
    if (expression) return;
    if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`;
    else args.unshift('Assertion failed');
    // The arguments may be objects, as those of warn.
    Reflect.apply(this.warn, this, args);
  },

  clear() {
    // Only a real terminal has a screen to clear.
    if (this._stdout.isTTY && process.env.TERM !== 'dumb') {
      const { cursorTo, clearScreenDown } = require('readline');
      cursorTo(this._stdout, 0, 0);
      clearScreenDown(this._stdout);
    }
  },

  count(label = 'default') {
    label = `${label}`;
    const { counts } = this[kState];
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    if (traced.console !== undefined) traced.console('C', `count::${label}`, count);
    this.log(`${label}: ${count}`);
  },

  countReset(label = 'default') {
    if (!this[kState].counts.delete(`${label}`)) {
      process.emitWarning(`Count for '${label}' does not exist`);
    } else if (traced.console !== undefined) {
      traced.console('C', `count::${label}`, 0);
    }
  },

  group(...data) {
    if (data.length > 0) Reflect.apply(this.log, this, data);
    const state = this[kState];
    state.groupIndent += ' '.repeat(state.groupIndentation);
  },

  groupEnd() {
    const state = this[kState];
    const left = Math.max(0, state.groupIndent.length - state.groupIndentation);
    state.groupIndent = state.groupIndent.slice(0, left);
  },

  table(tabularData, properties) {
    if (properties !== undefined) validateArray(properties, 'properties');
    if (tabularData === null || typeof tabularData !== 'object') return this.log(tabularData);
    const options = inspectOptionsFor(this, 'stdout');
    const show = (value) => {
      const isLarge = value !== null && typeof value === 'object' && !Array.isArray(value) &&
        !isTypedArray(value) && Object.keys(value).length > 2;
      return inspect(value, {
        depth: isLarge ? -1 : 0, maxArrayLength: 3, breakLength: Infinity, ...options,
      });
    };
    this.log(require('internal/console/table').table(tabularData, properties, show));
    return undefined;
  },
};

Object.assign(methods, {
  dirxml: methods.log,
  groupCollapsed: methods.group,
});

Object.assign(Console.prototype, methods);

module.exports = { Console, initialize };
