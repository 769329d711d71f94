'use strict';
// --why-alive: what keeps the program from ending, and where that was made. The report may be asked
// for in the middle of anything: nothing of the program's is called here.

const { currentResource, setKeeper } = require('internal/async_hooks');
const { openHandles } = require('internal/open_handles');
const { getOptionValue } = require('internal/options');
const { activeRequests } = require('internal/requests');
const { kOwner } = require('internal/stream_handle');
const { activeTimers, countActive } = require('internal/timers');
const {
  describeOpenHandle, describeRequest, describeTimer, duration, isServer,
} = require('internal/alive_words');

const native = binding('why_alive');

const kMostFrames = 10;

// ---- Where things were made ------------------------------------------------------------------

let places = null; // resource -> what native.frames() gives; null without the option
let ports = []; // of the message ports: weak references, because they go unseen

function remember(resource, type) {
  const frames = native.frames(kMostFrames);
  // What the loop itself makes, such as a connection that arrives, was made for what runs.
  places.set(resource, frames.length > 0 ? frames : placeOf(currentResource()));
  if (type !== 'MESSAGEPORT') return;
  ports = ports.filter((port) => port.deref() !== undefined);
  ports.push(new WeakRef(resource));
}

// Of a handle that the loop made: where what it belongs to was made.
function placeOf(resource) {
  const owner = resource?.[kOwner];
  for (const object of [resource, owner, owner?._server]) {
    const frames = places?.get(object) ?? [];
    if (frames.length > 0) return frames;
  }
  return [];
}

// As lines, the innermost first: "work (file.js:3:5)"
function placesOf(resource) {
  const frames = placeOf(resource);
  const lines = [];
  for (let i = 0; i < frames.length; i += 4) {
    const at = `${frames[i + 1]}:${frames[i + 2]}:${frames[i + 3]}`;
    lines.push(frames[i] === '' ? at : `${frames[i]} (${at})`);
  }
  return lines;
}

// ---- What there is ---------------------------------------------------------------------------

// A connection that neither reads nor writes does not keep the program alive.
function isActive({ handle, name, owner }) {
  if (name === 'ProcessWrap') return true;
  const object = owner(handle);
  return isServer(object) || handle.reading || handle.pendingWrite !== undefined ||
         Boolean(object?.connecting);
}

function livePorts() {
  return ports.map((port) => port.deref()).filter((port) => port !== undefined);
}

// { alive: [{ what, stack }], idle: how many others there are }
function whyAlive() {
  const { now, holds } = native.state();
  const alive = [];
  let idle = 0;
  const add = (resource, what) => alive.push({ what, stack: placesOf(resource) });

  for (const request of activeRequests()) add(request, describeRequest(request));
  for (const entry of openHandles()) {
    if (!entry.handle.hasRef() || !isActive(entry)) idle++;
    else add(entry.handle, describeOpenHandle(entry));
  }
  for (const { timer, start, isRefed } of activeTimers()) {
    if (!isRefed) idle++;
    else add(timer, describeTimer(timer, start + timer._idleTimeout - now));
  }
  let ownHolds = 0;
  for (const port of livePorts()) {
    if (!require('internal/message_channel').isRefed(port)) {
      idle++;
      continue;
    }
    ownHolds++;
    add(port, 'message port');
  }
  const { immediates } = countActive();
  if (immediates > 0) alive.push({ what: count(immediates, 'immediate'), stack: [] });
  if (holds > ownHolds) {
    const words = places === null ? 'message port or hold of C++' : 'hold of C++ (KeepAlive)';
    alive.push({ what: count(holds - ownHolds, words), stack: [] });
  }
  return { alive, idle };
}

function count(number, word) {
  return number === 1 ? `1 ${word}` : `${number} ${word}s`;
}

// ---- The report ------------------------------------------------------------------------------

// `why` says why it is made now.
function report(why) {
  const { alive, idle } = whyAlive();
  const words = alive.length === 0 ? 'nothing keeps this process alive' :
    alive.length === 1 ? '1 thing keeps this process alive' :
      `${alive.length} things keep this process alive`;
  const lines = [`[why-alive] ${words} (${why})`];
  for (const { what, stack } of alive) {
    lines.push(`  ${what}`);
    for (const frame of stack) lines.push(`      at ${frame}`);
  }
  if (idle > 0) lines.push(`  (${count(idle, 'other')} would not: unref'd, or neither reading nor writing)`);
  if (places === null && alive.length > 0) lines.push('  (start with --why-alive to see where)');
  return `${lines.join('\n')}\n`;
}

const kUnits = { __proto__: null, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

// "5s": checked where the options are read.
function toMilliseconds(text) {
  const unit = text.endsWith('ms') ? 'ms' : text.at(-1);
  return Number(text.slice(0, -unit.length)) * kUnits[unit];
}

function start() {
  places = new WeakMap();
  setKeeper(remember);
  const after = getOptionValue('--why-alive');
  const wait = after === '' ? -1 : toMilliseconds(after);
  native.start(wait, (isSignal) => report(isSignal ? 'SIGUSR2' : `after ${duration(wait)}`));
}

module.exports = { placesOf, report, start, whyAlive };
