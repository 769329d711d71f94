'use strict';
// --why-alive: what keeps the program from ending, and where that was made. The report may be asked
// for in the middle of anything: nothing of the program's is called here.

const { openHandles } = require('internal/open_handles');
const { getOptionValue } = require('internal/options');
const { currentPlaces, keepPlaces, keepsPlaces, livePorts, placesOf } = require('internal/places');
const { activeRequests } = require('internal/requests');
const { activeTimers, countActive } = require('internal/timers');
const {
  describeOpenHandle, describeRequest, describeTimer, duration, isServer,
} = require('internal/alive_words');

const native = binding('why_alive');

// ---- What there is ---------------------------------------------------------------------------

// A connection that neither reads nor writes does not keep the program alive.
function isActive({ handle, name, owner }) {
  if (name === 'ProcessWrap') return true;
  const object = owner(handle);
  return isServer(object) || handle.reading || handle.pendingWrite !== undefined ||
         Boolean(object?.connecting);
}

// { alive: [{ what, stack }], unrefed: how many others there are, idle: how many connections that do
// nothing }
function whyAlive() {
  const { now, holds } = native.state();
  const alive = [];
  let unrefed = 0;
  let idle = 0;
  const add = (resource, what) => alive.push({ what, stack: placesOf(resource) });

  // What a handle does is told with the handle.
  const told = new Set(openHandles().map(({ handle }) => handle).filter((handle) => handle.hasRef()));
  for (const request of activeRequests()) {
    if (!told.has(request.handle)) add(request, describeRequest(request));
  }
  for (const entry of openHandles()) {
    if (!entry.handle.hasRef()) unrefed++;
    else if (!isActive(entry)) idle++;
    else add(entry.handle, describeOpenHandle(entry));
  }
  for (const { timer, start, isRefed } of activeTimers()) {
    if (!isRefed) unrefed++;
    else add(timer, describeTimer(timer, start + timer._idleTimeout - now));
  }
  let ownHolds = 0;
  for (const port of livePorts()) {
    if (!require('internal/message_channel').isRefed(port)) {
      unrefed++;
      continue;
    }
    ownHolds++;
    add(port, 'message port');
  }
  const { immediates } = countActive();
  if (immediates > 0) alive.push({ what: count(immediates, 'immediate'), stack: [] });
  if (holds > ownHolds) {
    const words = !keepsPlaces() ? 'message port or hold of C++' : 'hold of C++ (KeepAlive)';
    alive.push({ what: count(holds - ownHolds, words), stack: [] });
  }
  return { alive, unrefed, idle };
}

function count(number, word) {
  return number === 1 ? `1 ${word}` : `${number} ${word}s`;
}

function describeOthers(unrefed, idle) {
  if (idle === 0) return "unref'd";
  return unrefed === 0 ? 'neither reading nor writing' :
    `${unrefed} unref'd, ${idle} neither reading nor writing`;
}

// ---- The report ------------------------------------------------------------------------------

// `why` says why it is made now; `inTheMiddle`, whether something runs meanwhile.
function report(why, inTheMiddle) {
  const { alive, unrefed, idle } = whyAlive();
  const now = currentPlaces();
  if (now.length > 0) {
    alive.unshift({ what: 'what runs now', stack: now });
  } else if (inTheMiddle) {
    alive.unshift({ what: 'what runs now: ticks or promises without a break, or native code', stack: [] });
  }
  const words = alive.length === 0 ? 'nothing keeps this process alive' :
    alive.length === 1 ? '1 thing keeps this process alive' :
      `${alive.length} things keep this process alive`;
  const lines = [`[why-alive] ${words} (${why})`];
  for (const { what, stack } of alive) {
    lines.push(`  ${what}`);
    for (const frame of stack) lines.push(`      at ${frame}`);
  }
  if (unrefed + idle > 0) {
    lines.push(`  (${count(unrefed + idle, 'other')} would not: ${describeOthers(unrefed, idle)})`);
  }
  if (!keepsPlaces() && alive.length > 0) lines.push('  (start with --why-alive to see where)');
  return `${lines.join('\n')}\n`;
}

const kUnits = { __proto__: null, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

// "5s": checked where the options are read.
function toMilliseconds(text) {
  const unit = text.endsWith('ms') ? 'ms' : text.at(-1);
  return Number(text.slice(0, -unit.length)) * kUnits[unit];
}

function start() {
  keepPlaces(true);
  const after = getOptionValue('--why-alive');
  const wait = after === '' ? -1 : toMilliseconds(after);
  native.start(wait, (isSignal, inTheMiddle) => {
    return report(isSignal ? 'SIGUSR2' : `after ${duration(wait)}`, inTheMiddle);
  });
}

module.exports = { report, start, whyAlive };
