'use strict';
// What the thread of the hooks of module.register() does: answers questions, one after the other. What asks is
// internal/modules/esm/hooks_thread.

const { getOptionValue } = require('internal/options');
const { isMarkedAsUntransferable } = require('internal/messaging/message_channel');
const { isArrayBuffer, isArrayBufferView } = require('internal/util/types');

const { add: atomicAdd, notify: atomicNotify } = Atomics;

function asMessage(error) {
  if (error === null || (typeof error !== 'object' && typeof error !== 'function' && typeof error !== 'symbol')) {
    return { status: 'thrown', body: error };
  }
  try {
    return { status: 'error', body: require('internal/worker/error_serdes').serializeError(error) };
  } catch {
    return { status: 'unserializable' };
  }
}

// The memory of a source need not be copied.
function transferListOf(result) {
  const source = result?.source;
  if (source == null) return undefined;
  const memory = isArrayBufferView(source) ? source.buffer : source;
  return isArrayBuffer(memory) && !isMarkedAsUntransferable(memory) ? [memory] : undefined;
}

// Sends what was written to the standard streams and waits there: no more requests will come.
function flushOutput() {
  const { kMore } = require('internal/worker/stdio');
  for (const name of ['stdout', 'stderr']) {
    const stream = process[name];
    while (stream.writableLength > 0) {
      const left = stream.writableLength;
      stream[kMore]();
      if (stream.writableLength >= left) break;
    }
  }
}

function start({ answers, port }) {
  let question = 0; // the one that hooks are at work for, else 0
  let lastQuestion = 0;

  function answer(message, transferList = undefined) {
    question = 0;
    port.ref();
    try {
      port.postMessage(message, transferList);
    } catch (error) {
      port.postMessage(asMessage(error));
    }
    atomicAdd(answers, 0, 1);
    atomicNotify(answers, 0);
  }

  // The port does not keep this thread alive while hooks are at work: when the loop has nothing to do, they
  // will never answer.
  async function take(work) {
    const number = ++lastQuestion;
    question = number;
    port.unref();
    let result;
    try {
      result = await work();
    } catch (error) {
      if (question === number) answer(asMessage(error));
      return;
    }
    if (question === number) answer({ status: 'success', body: result }, transferListOf(result));
  }

  process.on('beforeExit', () => {
    if (question !== 0) answer({ status: 'never-settle' });
  });

  const { exit } = process;
  process.exit = function(code) {
    flushOutput();
    answer({ status: 'exit', body: code ?? process.exitCode });
    return Reflect.apply(exit, process, arguments);
  };

  const hooks = require('internal/modules/esm/registered_hooks');
  const methods = { __proto__: null, flush: flushOutput, load: hooks.load, register: hooks.registerHere, resolve: hooks.resolve };
  port.on('message', ({ method, args }) => take(() => methods[method](...args)));
  take(() => hooks.startHere(getOptionValue('--require') ?? [], getOptionValue('--experimental-loader') ?? []));
}

module.exports = start;
