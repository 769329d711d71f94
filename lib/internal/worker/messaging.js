'use strict';
// postMessageToThread(): every thread has a port to the main thread, which passes messages on. The
// sender learns what became of its message by two integers in shared memory.

const { MessageChannel } = require('internal/messaging/message_channel');
const { isMainThread, threadId: ownId } = require('internal/worker/thread');
const { sharedMemory } = require('internal/worker/shared');
const { validateNumber } = require('internal/validators');
const {
  codes: {
    ERR_WORKER_MESSAGING_ERRORED, ERR_WORKER_MESSAGING_FAILED, ERR_WORKER_MESSAGING_SAME_THREAD,
    ERR_WORKER_MESSAGING_TIMEOUT,
  },
} = require('internal/errors');

const kDone = 0; // index: becomes 1
const kOutcome = 1; // index: one of these
const Outcome = { delivered: 0, noListener: 1, listenerThrew: 2 };

const ports = new Map(); // on the main thread: thread id -> port
let portToMain; // elsewhere

function finish(memory, outcome) {
  const status = new Int32Array(memory);
  Atomics.store(status, kOutcome, outcome);
  Atomics.store(status, kDone, 1);
  Atomics.notify(status, kDone, 1);
}

function receive({ source, value, memory }) {
  let outcome = Outcome.noListener;
  try {
    if (process.emit('workerMessage', value, source)) outcome = Outcome.delivered;
  } catch {
    outcome = Outcome.listenerThrew;
  }
  finish(memory, outcome);
}

function passOn(message) {
  if (message.destination === 0) {
    receive(message);
    return;
  }
  const port = ports.get(message.destination);
  if (port === undefined) finish(message.memory, Outcome.noListener);
  else port.postMessage({ ...message, type: 'receive' }, message.transferList);
}

// On the main thread.
function handle(message) {
  switch (message.type) {
    case 'register':
      ports.set(message.threadId, message.port);
      message.port.on('message', handle);
      message.port.unref();
      break;
    case 'unregister':
      ports.get(message.threadId)?.close();
      ports.delete(message.threadId);
      break;
    case 'send':
      passOn(message);
      break;
  }
}

function reportMain(message, transferList) {
  if (isMainThread) handle(message);
  else portToMain.postMessage(message, transferList);
}

// A port for a new thread.
function createMainThreadPort(threadId) {
  const { port1, port2 } = new MessageChannel();
  reportMain({ type: 'register', threadId, port: port1 }, [port1]);
  return port2;
}

function destroyMainThreadPort(threadId) {
  reportMain({ type: 'unregister', threadId });
}

// In the new thread.
function setMainThreadPort(port) {
  portToMain = port;
  port.on('message', receive);
  port.unref();
}

async function postMessageToThread(threadId, value, transferList, timeout) {
  if (typeof transferList === 'number' && timeout === undefined) {
    timeout = transferList;
    transferList = [];
  }
  if (timeout !== undefined) validateNumber(timeout, 'timeout', 0);
  if (threadId === ownId) throw new ERR_WORKER_MESSAGING_SAME_THREAD();
  const memory = sharedMemory(2 * Int32Array.BYTES_PER_ELEMENT);
  const status = new Int32Array(memory);
  const done = Atomics.waitAsync(status, kDone, 0, timeout).value;
  reportMain({ type: 'send', source: ownId, destination: threadId, value, memory, transferList }, transferList);
  if (await done === 'timed-out') throw new ERR_WORKER_MESSAGING_TIMEOUT();
  switch (status[kOutcome]) {
    case Outcome.noListener: throw new ERR_WORKER_MESSAGING_FAILED();
    case Outcome.listenerThrew: throw new ERR_WORKER_MESSAGING_ERRORED();
  }
}

module.exports = { createMainThreadPort, destroyMainThreadPort, postMessageToThread, setMainThreadPort };
