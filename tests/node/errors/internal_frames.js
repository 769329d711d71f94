// How many frames of the runtime stand below a callback: programs see that by Error.stackTraceLimit, and in their logs.
// Recorded from Node 26: in Node 20 a microtask has three frames more.
const EventEmitter = require('node:events');
const fs = require('node:fs');
const timers = require('node:timers/promises');

function count(name) {
  const frames = new Error(name).stack.split('\n').slice(1);
  console.log(name, frames.filter((frame) => /node:/.test(frame)).length);
}
const callback = (name, next) => function callback() {
  count(name);
  next?.();
};

const steps = [
  (next) => process.nextTick(callback('tick', next)),
  (next) => setTimeout(callback('timeout', next), 1),
  (next) => setImmediate(callback('immediate', next)),
  (next) => setImmediate(() => process.nextTick(callback('tick of an immediate', next))),
  (next) => setTimeout(() => process.nextTick(callback('tick of a timeout', next)), 1),
  (next) => setTimeout(() => Promise.resolve().then(callback('promise of a timeout', next)), 1),
  (next) => setTimeout(() => queueMicrotask(callback('microtask of a timeout', next)), 1),
  async (next) => {
    await timers.setTimeout(1);
    count('await setTimeout');
    next();
  },
  async (next) => {
    await new Promise((resolve) => { setTimeout(resolve, 1); });
    count('await a promise of a timeout');
    next();
  },
  async (next) => {
    await timers.setImmediate();
    count('await setImmediate');
    next();
  },
  async (next) => {
    for await (const value of timers.setInterval(1)) {
      count(`await setInterval ${value}`);
      break;
    }
    next();
  },
  (next) => {
    // Two at once: the ticks between them run in the same visit.
    setImmediate(() => process.nextTick(callback('tick between immediates')));
    setImmediate(() => setTimeout(next, 1));
  },
  (next) => {
    const emitter = new EventEmitter();
    emitter.on('event', callback('emit'));
    emitter.emit('event');
    emitter.once('other', callback('once', next));
    emitter.emit('other', 1);
  },
  (next) => fs.stat('.', callback('fs.stat', next)),
  (next) => {
    process.once('SIGUSR2', callback('signal', next));
    process.kill(process.pid, 'SIGUSR2');
  },
  (next) => {
    process.once('uncaughtException', callback('uncaughtException', next));
    throw new Error('thrown');
  },
];

const alive = setInterval(() => {}, 1 << 30);
function next() {
  const step = steps.shift();
  if (step) setTimeout(step, 1, next);
  else clearInterval(alive);
}
next();

process.once('beforeExit', callback('beforeExit'));
process.on('exit', callback('exit'));
