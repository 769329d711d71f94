'use strict';
// Hooks of module.register() and --experimental-loader run on a thread of their own, one for each thread of the
// program that has such hooks. This is the side of the program: it asks, and waits for the answer.
//
// Loading is synchronous, so the program's thread sleeps until its question is answered. Questions and answers go
// through a channel. The thread of the hooks counts its answers in shared memory; a sleeper wakes when the number
// is not the one it has seen last. The other side is internal/modules/esm/hooks_worker.

const { MessageChannel, receiveMessageOnPort } = require('internal/messaging/message_channel');
const {
  ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED, ERR_WORKER_NOT_RUNNING, ERR_WORKER_UNSERIALIZABLE_ERROR,
} = require('internal/errors').codes;
const { deserializeError } = require('internal/worker/error_serdes');
const { sharedMemory } = require('internal/worker/shared');
const { Worker, kDrain, kHasEnded, kInternalEntry } = require('internal/worker/worker');
const { registered } = require('internal/modules/customization_hooks');
const { exitState } = require('internal/process/exit_state');

const { load: atomicLoad, wait: atomicWait } = Atomics;

// A thread that runs out of memory ends without an answer: the waiting thread checks that it still runs.
const kLookMs = 250;
// How often, for hooks that are busy when the program ends.
const kFlushLooks = 4;

class HooksThread {
  #answers = new Int32Array(sharedMemory(4));
  #seen = 0;
  #isReady = false;
  #port;
  #worker;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(undefined, {
      [kInternalEntry]: 'internal/modules/esm/hooks_worker',
      trackUnmanagedFds: false,
      transferList: [port2],
      workerData: { answers: this.#answers, port: port2 },
    });
    this.#worker.unref();
    // The program cannot have 'error' listeners here.
    this.#worker.on('error', (error) => binding('errors').triggerUncaughtException(error, false));
    this.#worker.on('exit', (code) => process.exit(code));
    exitState.flushHooks = () => this.#flush();
  }

  // Sleeps until there is a message.
  #wait(looks = Infinity) {
    for (let looked = 0; looked < looks; looked++) {
      const received = receiveMessageOnPort(this.#port);
      if (received !== undefined) return received.message;
      if (atomicWait(this.#answers, 0, this.#seen, kLookMs) === 'timed-out' && this.#worker[kHasEnded]()) {
        this.#worker[kDrain]();
        throw new ERR_WORKER_NOT_RUNNING();
      }
      this.#seen = atomicLoad(this.#answers, 0);
    }
    return undefined;
  }

  // What hooks have printed is not lost when the program ends.
  #flush() {
    exitState.flushHooks = undefined;
    if (!this.#worker[kHasEnded]()) {
      this.#port.postMessage({ method: 'flush', args: [] });
      this.#wait(kFlushLooks);
    }
    this.#worker[kDrain]();
  }

  #open({ status, body }) {
    switch (status) {
      case 'success':
        return body;
      case 'exit':
        exitState.flushHooks = undefined;
        this.#worker[kDrain]();
        process.exit(body);
        break;
      case 'never-settle':
        throw new ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED();
      case 'unserializable':
        throw new ERR_WORKER_UNSERIALIZABLE_ERROR();
      case 'error':
        throw deserializeError(body);
    }
    throw body; // not an object
  }

  // Until what the command line asks for is registered there; throws if that failed.
  whenReady() {
    if (this.#isReady) return;
    this.#isReady = true;
    this.#open(this.#wait());
  }

  call(method, args, transferList = undefined) {
    this.whenReady();
    this.#port.postMessage({ method, args }, transferList);
    try {
      return this.#open(this.#wait());
    } catch (error) {
      if (error?.code === 'ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED') error.details = { method, args };
      throw error;
    }
  }
}

let thread;

// The one of this thread.
function hooksThread() {
  if (thread === undefined) {
    thread = new HooksThread();
    registered.isActive = true;
  }
  return thread;
}

module.exports = { hooksThread };
