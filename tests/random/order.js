'use strict';
// Random programs of callbacks that schedule callbacks: ticks, microtasks, immediates, events, streams, message ports and
// rejections, each inside the others. What is printed is the order in which they ran. See README.md.
//
//   order.js FIRST COUNT
//
// Where Node leaves the order open there is nothing to compare. So a program sets no timer (tests/core/model_test.cpp has
// those) and begins no operation of the kernel. It throws nothing either: Node runs the ticks that an exception has put off
// after any task of V8, a collection of the young generation for example, and some programs never end there (immediates
// that were left are forgotten).

const { AsyncLocalStorage } = require('node:async_hooks');
const { EventEmitter, on, once } = require('node:events');
const { PassThrough, Readable, Writable, pipeline } = require('node:stream');
const timersPromises = require('node:timers/promises');
const { Random } = require('./random.js');

let lines = [];
let emitter;
let handles;
const storage = new AsyncLocalStorage();

function log(...words) {
  const store = storage.getStore();
  lines.push(words.join(' ') + (store === undefined ? '' : ` in ${store}`));
}

// ---- What a callback can do: each takes the callback of its own, a number that names it, and a random choice ----

const kActions = {
  tick: (callback) => process.nextTick(callback),
  microtask: (callback) => queueMicrotask(callback),
  immediate: (callback) => handles.push(setImmediate(callback)),
  clearImmediate: (callback, id, choice) => clearImmediate(handles[choice]),
  then: (callback) => Promise.resolve().then(callback),
  awaits: async (callback, id) => {
    log('before', id);
    await null;
    callback();
  },
  thenable: async (callback, id) => {
    await { then(resolve) { log('thenable', id); resolve(); } };
    callback();
  },
  rejects: (callback, id) => Promise.reject(new Error(`rejected ${id}`)),
  handlesLate: (callback, id) => {
    const rejected = Promise.reject(new Error(`late ${id}`));
    setImmediate(() => rejected.catch(callback));
  },
  settles: async (callback) => {
    try {
      await Promise.allSettled([1, Promise.reject(2), new Promise((resolve) => setImmediate(resolve))]);
    } finally {
      callback();
    }
  },
  listens: (callback) => emitter.once('event', callback),
  emits: () => emitter.emit('event'),
  onceEvent: (callback) => {
    once(emitter, 'once').then(callback);
    process.nextTick(() => emitter.emit('once'));
  },
  iterates: async (callback, id) => {
    const values = on(emitter, 'value');
    emitter.emit('value', id);
    for await (const [value] of values) {
      log('value', value);
      break;
    }
    callback();
  },
  message: (callback) => {
    const { port1, port2 } = new MessageChannel();
    port1.once('message', () => {
      port1.close();
      callback();
    });
    port2.postMessage(1);
  },
  stores: (callback, id) => storage.run(id, () => {
    setImmediate(() => log('immediate'));
    process.nextTick(() => log('tick'));
    Promise.resolve().then(() => log('then'));
    callback();
  }),
  promisedImmediate: (callback, id) => timersPromises.setImmediate(id).then((value) => {
    log('promised', value);
    callback();
  }),
  aborts: (callback, id, choice) => {
    const controller = new AbortController();
    controller.signal.addEventListener('abort', callback);
    if (choice === 0) controller.abort();
    else process.nextTick(() => controller.abort());
  },
  reads: (callback, id) => {
    const readable = new Readable({ read() {} });
    readable.on('data', (data) => log('data', id, data));
    readable.on('end', callback);
    readable.on('close', () => log('close', id));
    readable.push('x');
    readable.push(null);
  },
  writes: (callback, id, choice) => {
    const writable = new Writable({
      write(chunk, encoding, done) {
        if (choice === 0) done();
        else process.nextTick(done);
      },
    });
    writable.write('x', callback);
    writable.end(() => log('ended', id));
    writable.on('finish', () => log('finish', id));
  },
  pipes: (callback, id) => {
    async function* sink(source) {
      for await (const chunk of source) log('chunk', id, chunk);
    }
    pipeline(Readable.from(['a', 'b']), new PassThrough(), sink, (error) => {
      log('piped', id, error !== undefined);
      callback();
    });
  },
};
const kNames = Object.keys(kActions);

// ---- Programs ----

function plan(random, state, depth = 0) {
  const steps = [];
  const count = depth === 0 ? 2 + random.below(6) : depth > 4 ? 0 : random.below(4);
  for (let i = 0; i < count; i++) {
    steps.push({ name: random.pick(kNames), choice: random.below(3), id: ++state.ids, inner: plan(random, state, depth + 1) });
  }
  return steps;
}

function run(steps, id) {
  log(id);
  for (const { name, choice, id: inner, inner: body } of steps) {
    const returned = kActions[name](() => run(body, `${name} ${inner}`), inner, choice);
    // A function that is async fails as what it waits for does.
    if (returned instanceof Promise && choice === 0) returned.catch((error) => log('caught', error.message));
  }
}

const [first, count] = process.argv.slice(2).map(Number);
let seed = first;

process.on('uncaughtException', (error, origin) => log('uncaught', error?.message ?? error, origin));
process.removeAllListeners('warning'); // PromiseRejectionHandledWarning, with the id of the process

function begin() {
  console.log(`# seed ${seed}`);
  lines = [];
  emitter = new EventEmitter();
  handles = [];
  const random = new Random(seed);
  const body = plan(random, { ids: 0 });
  run(body, 'program');
}

process.on('beforeExit', () => {
  console.log(lines.join('\n'));
  // As a callback of the loop: 'beforeExit' comes again only after something has kept the loop alive, and a program can
  // consist of ticks alone.
  if (++seed < first + count) setImmediate(begin);
});
begin();
