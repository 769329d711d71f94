'use strict';
// --blocked: reports to C++, at any time, what runs and what waits. Nothing of
// the program's is called here.

const {
  async_id_symbol, countTicksMade, currentEvent, currentResource, executionAsyncId, publishRunning,
} = require('internal/async_hooks');
const { describeEvent, describeOperation, kTypesOfClasses, tickWords } = require('internal/lens/descriptions');
const { keepServed, servedRequest } = require('internal/http/served_request');
const { getOptionValue } = require('internal/options');
const { keepLocations, locationsOf, locationsOfLastTick, reportLocations } = require('internal/lens/source_locations');
const { countTicks } = require('internal/process/task_queues');
const { nextMicrotask } = require('internal/async/queue_microtask');
const { kLocationsLeft, shared } = require('internal/native/shared_state');
const { Immediate, Timeout, countImmediates } = require('internal/timers');

const native = binding('blocked');

const kMain = 1; // the id of the main program
const kLocationsAtStart = 200; // when what stays is made

function typeOf(resource) {
  if (resource instanceof Timeout) return 'Timeout';
  if (resource instanceof Immediate) return 'Immediate';
  return kTypesOfClasses[resource.constructor?.name];
}

// What ran at this look, and at the look before: the first one of a stall is not reported.
let last = { id: 0, kind: '' };
let previous = last;

function labelOf(resource, isAgain, isMicrotask) {
  const id = executionAsyncId();
  const type = resource === undefined ? undefined : typeOf(resource);
  const isTick = type === 'TickObject' || (resource === undefined && id !== kMain && id !== 0);
  if (!isAgain) previous = last;
  last = { id, kind: isMicrotask ? 'microtasks' : isTick ? 'ticks' : '' };
  // Two looks at one kind that found different ones: many short ones, not one that is long.
  const isRow = last.kind !== '' && last.kind === previous.kind && id !== previous.id;
  if (resource === undefined) {
    if (id === 0) return undefined;
    if (isRow) return `a row of ${last.kind}`;
    return isMicrotask ? undefined : id === kMain ? 'the program' : 'a tick';
  }
  const event = currentEvent();
  if (event !== undefined) return describeEvent(event, resource);
  if (type === 'TickObject' && isRow && !tickWords.has(resource.callback)) return 'a row of ticks';
  return type === undefined ? undefined : describeOperation(type, resource);
}

// A callback that serves a request says so, unless its name does.
function withRequest(label, isMicrotask) {
  const request = servedRequest();
  if (request === undefined) return label;
  const words = label ?? (isMicrotask ? 'a promise or microtask' : undefined);
  return words === undefined || words.includes(request) ? words : `${words} (for ${request})`;
}

function callbackOf(resource) {
  return resource?._onTimeout ?? resource?._onImmediate ?? resource?.callback;
}

function count(number, word) {
  return number === 0 ? [] : [`${number} ${word}${number === 1 ? '' : 's'}`];
}

// [label, callback, where it was scheduled, what waits in the queues of lib/, where ticks are made if
// there are many, how many ticks wait, the next callback of queueMicrotask()]: each but the number may be undefined. `isAgain`: it is still the same look.
function describe(isAgain, isMicrotask) {
  const resource = currentResource();
  const ticks = countTicks();
  const waiting = [...count(ticks, 'tick'), ...count(countImmediates(), 'immediate')];
  const site = resource === undefined ? undefined : locationsOf(resource)[0];
  return [
    withRequest(labelOf(resource, isAgain, isMicrotask), isMicrotask), callbackOf(resource), site, waiting.join(', '), locationsOfLastTick()[0],
    ticks, nextMicrotask(),
  ];
}

// What is known of a task when it is made: C++ cannot ask while native code runs.
function note(resource, type, site) {
  const asyncId = resource[async_id_symbol];
  // The handle of an object of the program's is made later, and noted then.
  if (asyncId === undefined || type === undefined) return;
  native.note(asyncId, resource, describeOperation(type, resource), callbackOf(resource), site);
}

function start() {
  countTicksMade();
  publishRunning();
  keepServed();
  keepLocations(false);
  reportLocations(note);
  shared[kLocationsLeft] = kLocationsAtStart;
  native.start(Number(getOptionValue('--blocked')), describe);
}

module.exports = { start };
