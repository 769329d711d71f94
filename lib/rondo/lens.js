'use strict';
// require('rondo:lens'): the loop, as the program on it sees it. docs/lens.md says more.

const { describeOpenHandle, describePort, describeRequest } = require('internal/lens/alive_descriptions');
const { codes: { ERR_INVALID_STATE } } = require('internal/errors');
const { openHandles } = require('internal/native/open_handles');
const { onLoopEnd } = require('internal/process/execution');
const { countTicks } = require('internal/process/task_queues');
const { LoopFigure, Phase } = require('internal/native/enums');
const { activeRequests } = require('internal/native/requests');
const { immediateFigures } = require('internal/timers');
const { validateFunction } = require('internal/validators');

const { openPorts } = binding('messaging');
const native = binding('iterations');
const { triggerUncaughtException } = binding('errors');

const kObserved = 'The loop has an observer of the C++ program';
const kPhases = Object.keys(Phase).filter((name) => name !== 'none');

// ---- Figures ---------------------------------------------------------------------------------

// Names for what C++ has counted (LoopFigure in src/runtime/bindings/lens/iterations.cpp). Immediates are one
// callback to C++, however many there are.
function read(numbers) {
  const immediates = immediateFigures();
  const figures = {
    iterations: numbers[LoopFigure.iterations],
    at: numbers[LoopFigure.at],
    events: numbers[LoopFigure.events],
    waits: numbers[LoopFigure.waits],
    idle: numbers[LoopFigure.idle],
    phases: {},
    waiting: undefined,
  };
  for (const name of kPhases) {
    figures.phases[name] = {
      callbacks: numbers[LoopFigure[`${name}Callbacks`]],
      time: numbers[LoopFigure[`${name}Time`]],
    };
  }
  figures.phases.check.callbacks += immediates.ran - immediates.visits;
  figures.waiting = {
    ticks: countTicks(),
    timers: numbers[LoopFigure.timersWaiting],
    pending: numbers[LoopFigure.pendingWaiting],
    poll: numbers[LoopFigure.pollWaiting],
    check: immediates.waiting,
    close: numbers[LoopFigure.closeWaiting],
  };
  return figures;
}

function readNow() {
  return read(native.figures(ownCallbacks + (iterations?.ownCallbacks() ?? 0)));
}

function snapshot() {
  const { at, ...figures } = readNow();
  return {
    time: require('perf_hooks').performance.now(),
    phase: native.phase(),
    ...figures,
    handles: [
      ...openHandles().map((entry) => describeOpenHandle(entry, false)),
      ...openPorts().map(describePort),
    ],
    requests: activeRequests().map(describeRequest),
  };
}

// The same as plain numbers, one for each thing that can be drawn as a curve.
function metrics() {
  const { iterations, events, waits, idle, phases, waiting } = readNow();
  const numbers = { iterations, events, waits, asleep_ms: idle };
  for (const name of kPhases) {
    numbers[`${name}_callbacks`] = phases[name].callbacks;
    numbers[`${name}_ms`] = phases[name].time;
  }
  for (const name of Object.keys(waiting)) numbers[`${name}_waiting`] = waiting[name];
  return numbers;
}

// The text that --lens gives Prometheus. Without that option, its figures are counted from the
// first call on.
function prometheus() {
  const begins = native.startMetrics();
  if (begins === undefined) throw new ERR_INVALID_STATE(kObserved);
  if (begins) require('internal/lens/report').startLate();
  return native.prometheus();
}

// ---- Iterations ------------------------------------------------------------------------------

let iterations; // in C++; while there are listeners
let subscribers = []; // never changed, but replaced
let before; // the figures at the start of the current iteration; undefined if that was not seen
let ownCallbacks = 0; // of earlier objects in `iterations`

function difference(now) {
  const callbacks = {};
  const times = {};
  for (const name of kPhases) {
    callbacks[name] = now.phases[name].callbacks - before.phases[name].callbacks;
    times[name] = now.phases[name].time - before.phases[name].time;
  }
  return {
    iteration: now.iterations,
    duration: now.at - before.at,
    idle: now.idle - before.idle,
    events: now.events - before.events,
    callbacks,
    times,
  };
}

function iterationEnds(numbers) {
  if (numbers === undefined) return;
  const now = read(numbers);
  const figures = before === undefined ? undefined : difference(now);
  before = now;
  if (figures === undefined) return;
  for (const subscriber of subscribers) {
    if (subscribers.includes(subscriber)) notify(subscriber, figures); // one of the others may have ended it
  }
}

// Called by C++, a little after the end of an iteration.
function onIteration() {
  iterationEnds(iterations.take());
}

// The last iteration may be incomplete: when its timers were all that was left.
function onEnd() {
  onIteration();
  if (iterations === undefined || before === undefined) return;
  const numbers = iterations.soFar();
  const { callbacks } = difference(read(numbers));
  if (Object.values(callbacks).some((count) => count > 0)) iterationEnds(numbers);
}

// A listener that returns a promise is at work until that is settled, and is not called for the iterations that its work
// needs: otherwise each call would cause the next one.
function notify(subscriber, figures) {
  if (subscriber.isAtWork || figures.iteration <= subscriber.settledIn) return;
  const { listener } = subscriber;
  let result;
  try {
    result = listener(figures);
    if (typeof result?.then !== 'function') return;
  } catch (error) {
    // Nor for the iteration that the handlers of this take.
    subscriber.settledIn = figures.iteration + 1;
    triggerUncaughtException(error, false);
    return;
  }
  subscriber.isAtWork = true;
  const settle = () => {
    subscriber.isAtWork = false;
    subscriber.settledIn = iterations?.iteration() ?? 0;
  };
  Promise.resolve(result).finally(settle);
}

function begin() {
  const started = new native.Iterations(onIteration);
  if (!started.start()) {
    throw new ERR_INVALID_STATE(kObserved);
  }
  iterations = started;
  before = undefined;
  onLoopEnd(onEnd);
}

function end() {
  ownCallbacks += iterations.ownCallbacks();
  iterations.stop();
  iterations = undefined;
  onLoopEnd(undefined);
}

// listener(figures) is called after each iteration of the loop. Returns what ends that.
function subscribe(listener) {
  validateFunction(listener, 'listener');
  if (iterations === undefined) begin();
  const subscriber = { listener, isAtWork: false, settledIn: 0 };
  subscribers = [...subscribers, subscriber];
  return function unsubscribe() {
    if (!subscribers.includes(subscriber)) return;
    subscribers = subscribers.filter((other) => other !== subscriber);
    if (subscribers.length === 0) end();
  };
}

// ---- What keeps the program from ending ------------------------------------------------------

// { what, count, stack } of each that differs; the stacks are there with --why-alive.
function whyAlive() {
  return require('internal/lens/why_alive').whyAlive().alive;
}

// ---- What it waits for -----------------------------------------------------------------------

// { kind, what, count, site, source } of each line that waits; without --why-alive and explain, of what has
// begun to wait after the first call.
function unfinished() {
  const { start, unfinished: list } = require('internal/lens/unfinished');
  start();
  return list();
}

module.exports = { metrics, prometheus, snapshot, subscribe, unfinished, whyAlive };
