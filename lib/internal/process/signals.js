'use strict';
// process.on('SIGINT'): a signal is watched as long as it has listeners. Watching does not keep the
// program alive.

const { ErrnoException } = require('internal/errors');
const {
  async_id_symbol, callInContext, emitDestroy, initResource,
} = require('internal/async_hooks');
const { signals } = binding('constants').os;

const watched = new Map(); // name -> what watches it

function isSignal(event) {
  return typeof event === 'string' && Object.hasOwn(signals, event);
}

function startListeningIfSignal(type) {
  if (!isSignal(type) || watched.has(type)) return;
  const { Signal, traceSigint } = binding('signal_wrap');
  if (type === 'SIGINT' && isSigintTraced) traceSigint(false);
  const signum = signals[type];
  const signal = initResource(new Signal(), 'SIGNALWRAP');
  signal.unref();
  signal.onsignal = () => callInContext(signal, type, process.emit, process, type, type, signum);
  const error = signal.start(signum);
  if (error) {
    signal.close();
    throw new ErrnoException(error, 'uv_signal_start');
  }
  watched.set(type, signal);
}

function stopListeningIfSignal(type) {
  const signal = watched.get(type);
  if (signal === undefined || process.listenerCount(type) > 0) return;
  signal.close();
  emitDestroy(signal[async_id_symbol]);
  watched.delete(type);
  if (type === 'SIGINT' && isSigintTraced) binding('signal_wrap').traceSigint(true);
}

// Whether the stack is printed when SIGINT ends the process; not while it has listeners.
let isSigintTraced = false;

function setTraceSigint(isWanted) {
  if (isWanted === isSigintTraced) return;
  isSigintTraced = isWanted;
  if (!watched.has('SIGINT')) binding('signal_wrap').traceSigint(isWanted);
}

// [[name, number]], for reports.
function watchedSignals() {
  return [...watched.keys()].map((name) => [name, signals[name]]);
}

module.exports = { setTraceSigint, startListeningIfSignal, stopListeningIfSignal, watchedSignals };
