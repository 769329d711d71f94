'use strict';
// What a Worker does first: takes what its parent has sent, makes `process` that of a Worker, and
// runs the program.

const { codes: { ERR_WORKER_UNSUPPORTED_OPERATION } } = require('internal/errors');
require('internal/messaging/message_channel');
const { getOptionValue } = require('internal/options');
const { environmentData, folder, kTypes } = require('internal/worker/shared');
const { unavailable } = require('internal/worker/thread');

// ---- process ----

// What would change the whole process.
const kOfMainThread = ['abort', 'chdir', 'initgroups', 'setgroups', 'setegid', 'seteuid', 'setgid', 'setuid'];
const kNotInWorkers = ['_debugProcess', '_debugEnd', '_startProfilerIdleNotifier', '_stopProfilerIdleNotifier'];

function restrictProcess() {
  const native = binding('process_methods');
  for (const name of kOfMainThread) process[name] = unavailable(`process.${name}()`);
  for (const name of kNotInWorkers) delete process[name];
  process.umask = { umask(mask) {
    if (mask !== undefined) throw new ERR_WORKER_UNSUPPORTED_OPERATION('Setting process.umask()');
    return native.umask(mask);
  } }.umask;
  const signals = require('internal/process/signals');
  process.removeListener('newListener', signals.startListeningIfSignal);
  process.removeListener('removeListener', signals.stopListeningIfSignal);
  if (process.env.NODE_CHANNEL_FD) hideChannel();
}

// The channel to a parent process is the main thread's.
function hideChannel() {
  for (const name of ['channel', 'connected']) {
    Object.defineProperty(process, name, {
      __proto__: null, enumerable: false, configurable: true, get: unavailable(`process.${name}`),
    });
  }
  process.send = unavailable('process.send()');
  process.disconnect = unavailable('process.disconnect()');
}

function useStreams(port, hasStdin) {
  let streams;
  require('internal/process/stdio').replaceStreams((name) => {
    if (streams === undefined) {
      streams = require('internal/worker/stdio').createWorkerStdio(port);
      if (!hasStdin) streams.stdin.push(null);
    }
    return streams[name];
  });
}

// ---- Errors ----

function sendError(port, error) {
  let serialized;
  try {
    serialized = require('internal/worker/error_serdes').serializeError(error);
  } catch {
    // It cannot even be shown.
  }
  port.postMessage(serialized === undefined ?
    { type: kTypes.unserializableError } : { type: kTypes.error, error: serialized });
}

// An uncaught error ends the Worker. The parent has it as an 'error' event.
function reportErrorsTo(port) {
  const { _fatalException: takeError } = process;
  process._fatalException = function(error, fromPromise) {
    let verdict;
    try {
      verdict = takeError(error, fromPromise);
    } catch (thrown) {
      // A handler threw: the program ends with that, and without 'exit'.
      error = thrown;
    }
    if (verdict === true) return true;
    if (!process._exiting) {
      process._exiting = true;
      process.exitCode = 1;
    }
    sendError(port, error);
    process.exit();
  };
}

// ---- The program ----

function run({ doEval, filename, workerData }) {
  if (doEval === 'internal') return require(filename)(workerData);
  const loader = require('internal/modules/run_main');
  loader.prepare({
    require: getOptionValue('--require') ?? [],
    import: getOptionValue('--import') ?? [],
  });
  if (doEval === 'classic') {
    Object.defineProperty(process, '_eval', {
      __proto__: null, configurable: true, enumerable: true, value: filename,
    });
    process.argv.splice(1, 0, '[worker eval]');
    return loader.runInput(filename, { name: '[worker eval]' });
  }
  if (doEval === 'data-url') return loader.runModule(filename);
  process.argv.splice(1, 0, filename);
  return loader.Module.runMain(filename);
}

// How debuggers show the program; nothing for a text.
function urlOf({ doEval, filename }) {
  if (doEval === 'classic') return '';
  return doEval === 'data-url' ? filename : require('internal/modules/package_resolve').pathToUrl(filename);
}

// The options of the process are for the main thread only: Worker's constructor leaves these out of them.
function isToWait() {
  return getOptionValue('--inspect-brk') === true || getOptionValue('--inspect-wait') === true;
}

function load(port, message) {
  const { argv, workerData, publicPort, mainThreadPort, folderCounter, hasStdin } = message;
  useStreams(port, hasStdin);
  if (argv !== undefined) process.argv.push(...argv);
  for (const [key, value] of message.environmentData) environmentData.set(key, value);
  require('internal/worker/messaging').setMainThreadPort(mainThreadPort);
  folder.follow(folderCounter, binding('process_methods').cwd);
  const publicModule = require('worker_threads');
  if (message.doEval === 'internal') {
    publicModule.isInternalThread = true;
  } else {
    publicModule.parentPort = publicPort;
    publicModule.workerData = workerData;
  }
  port.postMessage({ type: kTypes.online });
  if (message.doEval !== 'internal' && binding('inspector').startWorker(urlOf(message), isToWait())) {
    // A text is not paused, as in Node.
    if (message.doEval === false) require('internal/inspector/server').breakAtStart();
  }
  run(message);
}

// The program begins in the poll phase, as Node's does: what it defers to immediates comes before its timers.
module.exports = function runWorker() {
  const port = binding('worker').takePort();
  reportErrorsTo(port);
  restrictProcess();
  port.on('message', (message) => {
    if (message.type === kTypes.load) {
      port.unref();
      load(port, message);
    } else if (message.type === kTypes.output) {
      require('internal/worker/stdio').pushChunks(process[message.stream], message.chunks);
    } else {
      const { kMore } = require('internal/worker/stdio');
      process[message.stream][kMore]();
    }
  });
};
