'use strict';
// --why-alive: what keeps the program from ending, and where that was made. The report may be asked
// for in the middle of anything: nothing of the program's is called here.

const { openHandles } = require('internal/native/open_handles');
const { getOptionValue } = require('internal/options');
const { currentLocations, keepsLocations, locationsOf } = require('internal/lens/source_locations');
const { activeRequests } = require('internal/native/requests');
const { activeTimers, countActive } = require('internal/timers');
const { linesOfReport: linesOfUnfinished, startForEnd } = require('internal/lens/unfinished');
const {
  describeOpenHandle, describePort, describeRequest, describeTimer, duration, isServer,
} = require('internal/lens/alive_descriptions');
const { SafeMap } = require('internal/util/safe');

const { openPorts } = binding('messaging');
const native = binding('why_alive');

// ---- What there is ---------------------------------------------------------------------------

// A connection that neither reads nor writes does not keep the program alive.
function isActive({ handle, name, owner }) {
  if (name === 'ProcessWrap') return true;
  const object = owner(handle);
  return isServer(object) || handle.reading || handle.pendingWrite !== undefined ||
         Boolean(object?.connecting);
}

// Those that are alike are one entry, in the words of the first of them: { what, count, stack }.
class Entries {
  #entries = new SafeMap();

  // `describe(isBrief)`: see internal/lens/alive_descriptions.
  add(describe, stack, count = 1) {
    const key = [describe(true), ...stack].join('\n');
    const known = this.#entries.get(key);
    if (known !== undefined) known.count += count;
    else this.#entries.set(key, { what: describe(false), count, stack });
  }

  list() {
    return [...this.#entries.values()];
  }
}

// { alive: [{ what, count, stack }], unrefed: how many others there are, idle: how many connections that
// do nothing }
function whyAlive() {
  const { now, holds } = native.state();
  const alive = new Entries();
  let unrefed = 0;
  let idle = 0;
  const add = (resource, describe) => alive.add(describe, locationsOf(resource));

  // What a handle does is reported with the handle.
  const listed = new Set(openHandles().map(({ handle }) => handle).filter((handle) => handle.hasRef()));
  for (const request of activeRequests()) {
    if (!listed.has(request.handle)) add(request, () => describeRequest(request));
  }
  for (const entry of openHandles()) {
    if (!entry.handle.hasRef()) unrefed++;
    else if (!isActive(entry)) idle++;
    else add(entry.handle, (isBrief) => describeOpenHandle(entry, isBrief));
  }
  for (const { timer, start, isRefed } of activeTimers()) {
    if (!isRefed) unrefed++;
    else add(timer, (isBrief) => describeTimer(timer, start + timer._idleTimeout - now, isBrief));
  }
  let ownHolds = 0;
  for (const port of openPorts()) {
    if (!require('internal/messaging/message_channel').isRefed(port)) {
      unrefed++;
      continue;
    }
    ownHolds++;
    add(port, describePort);
  }
  const { immediates } = countActive();
  if (immediates > 0) alive.add(() => 'immediate', [], immediates);
  if (holds > ownHolds) alive.add(() => 'hold of C++ (KeepAlive)', [], holds - ownHolds);
  return { alive: alive.list(), unrefed, idle };
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
  const now = currentLocations();
  if (now.length > 0) {
    alive.unshift({ what: 'what runs now', count: 1, stack: now });
  } else if (inTheMiddle) {
    const what = 'what runs now: ticks or promises without a break, or native code';
    alive.unshift({ what, count: 1, stack: [] });
  }
  const things = alive.reduce((sum, { count }) => sum + count, 0);
  const words = things === 0 ? 'nothing keeps this process alive' :
    things === 1 ? '1 thing keeps this process alive' :
      `${things} things keep this process alive`;
  const lines = [`[why-alive] ${words} (${why})`];
  for (const { what, count, stack } of alive) {
    lines.push(count === 1 ? `  ${what}` : `  ${what} (and ${count - 1} more like it)`);
    for (const frame of stack) lines.push(`      at ${frame}`);
  }
  if (unrefed + idle > 0) {
    const others = unrefed + idle === 1 ? '1 other' : `${unrefed + idle} others`;
    lines.push(`  (${others} would not: ${describeOthers(unrefed, idle)})`);
  }
  lines.push(...linesOfUnfinished());
  if (!keepsLocations() && alive.length > 0) lines.push('  (start with --why-alive to see where)');
  return `${lines.join('\n')}\n`;
}

const kUnits = { __proto__: null, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

// "5s": checked where the options are read.
function toMilliseconds(text) {
  const unit = text.endsWith('ms') ? 'ms' : text.at(-1);
  return Number(text.slice(0, -unit.length)) * kUnits[unit];
}

function start() {
  startForEnd({ toLens: false });
  const after = getOptionValue('--why-alive');
  const wait = after === '' ? -1 : toMilliseconds(after);
  native.start(wait, (isSignal, inTheMiddle) => {
    return report(isSignal ? 'SIGUSR2' : `after ${duration(wait)}`, inTheMiddle);
  });
}

module.exports = { report, start, whyAlive };
