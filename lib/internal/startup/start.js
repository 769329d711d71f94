'use strict';
// What is done at each start: takes over what C++ found out about this process, and runs what the
// command line asks for.

const { LibFunction } = require('internal/native/enums');
const { shared } = require('internal/native/shared_state');
const { setOptions } = require('internal/options');
const execution = require('internal/process/execution');
const { processTicksAndRejections } = require('internal/process/task_queues');
const { promiseRejected } = require('internal/process/promises');
const { processTimers, processImmediate } = require('internal/timers');
const { prepareStackTraceCallback } = require('internal/errors');
const { pushContext, popContext } = require('internal/async_hooks');
const { connect } = binding('builtins');

// The functions that C++ calls, by their names in enum LibFunction (src/runtime/engine/environment.h). Arrow functions are in
// parentheses because V8 would else name them, and stacks would show the name.
const functionsByName = {
  processTimers,
  processImmediate,
  processTicksAndRejections,
  promiseRejected,
  fatalException: execution.fatalException,
  reportException: execution.reportException,
  prepareStack: prepareStackTraceCallback,
  emitBeforeExit: execution.emitBeforeExit,
  emitExit: execution.emitExit,
  importDynamically: (0, (symbol, specifier, attributes, name, contextSymbol, phase) =>
    require('internal/modules/esm/hooks')
      .importDynamically(symbol, specifier, attributes, name, contextSymbol, phase)),
  importMeta: (0, (handle, meta) => require('internal/modules/esm/hooks').initializeImportMeta(handle, meta)),
  emitWarning: (0, (...args) => process.emitWarning(...args)),
  stackOf: execution.stackOf,
  mappedSourceLine: (0, (...args) => require('internal/source_map/stacks').mappedSourceLine(...args)),
  inspect: (0, (listens) => require('internal/inspector/server').inspect(listens)),
  keepGenerated: (0, (text) => require('internal/source_map/support').keepGenerated(text)),
};
// In the order of the enumeration. A name that only one side has ends the build, which runs this file.
const functions = [];
for (const name of Object.keys(LibFunction)) {
  if (typeof functionsByName[name] !== 'function') throw new Error(`lib/ has no function ${name} for C++`);
  functions[LibFunction[name]] = functionsByName[name];
}
if (functions.length !== Object.keys(functionsByName).length) throw new Error('C++ does not call all functions of start.js');

// Whether trace events are written: as options ask, or the main thread's program, for its Workers.
function isTraced({ main, options }) {
  return options['--trace-event-categories'] !== undefined || options['--trace-events-enabled'] === true ||
    (main.kind === 'worker' && binding('trace_events').getStarted());
}

// info: { argv, execArgv, execPath, argv0, options, main: { kind, ... }, hasLens }
module.exports = function start(info) {
  connect(shared, functions, process);
  setOptions(info.options, info.main);
  require('internal/modules/builtin_ids').applyOptions();
  require('internal/process/object').start(process, info);
  if (Object.keys(info.options).length > 0) require('internal/process/option_effects')(info);
  require('internal/startup/globals').adjust(globalThis, info.options);
  if (isTraced(info)) require('internal/trace/sources').start(info);
  if (info.options['--blocked'] !== undefined) require('internal/lens/blocked').start();
  if (info.options['--why-alive'] !== undefined) require('internal/lens/why_alive').start();
  if (info.options['--use-env-proxy']) require('internal/http/env_proxy').useForFetch(process.env);
  const lens = info.hasLens ? require('internal/lens/report') : undefined;
  pushContext(1, 0, undefined);
  lens?.start(info.main.path ?? 'the program');
  const result = require('internal/startup/main')(info.main);
  // Not so when it throws: the handlers of that still run in its context.
  lens?.endOfMain();
  popContext();
  return result;
};
