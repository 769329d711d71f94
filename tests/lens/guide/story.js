'use strict';
// What has to happen in a program, as far as that is known beforehand: callbacks one after the other, side by side, or
// one way or another.

// One callback. `phase` is undefined for ticks and microtasks, which belong to none; `line` is where the program has
// scheduled it; `printed` are lines, each a text or a regular expression.
function run(phases, label, line, ...printed) {
  return { phases, label, line, printed };
}

const inPhase = (...phases) => (label, line, ...printed) => run(phases, label, line, ...printed);
const main = (...printed) => run(['main'], '$', null, ...printed);
const atExit = (...printed) => run(['main'], "'exit' of process", null, ...printed);
const timers = (ms, line, ...printed) => run(['timers'], `setTimeout ${ms} ms`, line, ...printed);
const check = (line, ...printed) => run(['check'], 'immediate', line, ...printed);
const tick = (name, line, ...printed) => run(undefined, name === '' ? 'tick' : `tick ${name}`, line, ...printed);
const promise = (line, ...printed) => run(undefined, 'promise', line, ...printed);
const microtask = (line, ...printed) => run(undefined, 'microtask', line, ...printed);
const poll = inPhase('poll');
// What comes from the kernel may have been put off: "I/O results that the loop chose to report an iteration later".
const io = inPhase('poll', 'pending');
const pending = inPhase('pending');
const close = inPhase('close');

const inOrder = (...stories) => ({ inOrder: stories });
const sideBySide = (...stories) => ({ sideBySide: stories });
const either = (...stories) => ({ either: stories });

// Its steps (open, stat, read, close) have no callbacks.
const readFile = (line, ...printed) => poll('readFile $', line, ...printed);

// ---- Whether it was so -----------------------------------------------------------------------------------------

const kNothing = inOrder();

function isMatch(expected, seen) {
  return (expected.phases === undefined || expected.phases.includes(seen.phase)) &&
    expected.label === seen.label && expected.line === seen.line && expected.printed.length === seen.printed.length &&
    expected.printed.every((line, i) => (line instanceof RegExp ? line.test(seen.printed[i]) : line === seen.printed[i]));
}

function mayEnd(story) {
  if (story.either) return story.either.some(mayEnd);
  return (story.inOrder ?? story.sideBySide)?.every(mayEnd) ?? false;
}

// The stories that are left when `seen` has happened.
function after(story, seen) {
  if (story.either) return story.either.flatMap((one) => after(one, seen));
  if (story.sideBySide) {
    return story.sideBySide.flatMap((one, i) =>
      after(one, seen).map((rest) => sideBySide(...story.sideBySide.map((other, j) => (j === i ? rest : other)))));
  }
  if (!story.inOrder) return isMatch(story, seen) ? [kNothing] : [];
  if (story.inOrder.length === 0) return [];
  const [first, ...others] = story.inOrder;
  const rests = after(first, seen).map((rest) => inOrder(rest, ...others));
  return mayEnd(first) ? [...rests, ...after(inOrder(...others), seen)] : rests;
}

// What may come next.
function next(story) {
  if (story.either || story.sideBySide) return (story.either ?? story.sideBySide).flatMap(next);
  if (!story.inOrder) return [story];
  const [first, ...others] = story.inOrder;
  if (first === undefined) return [];
  return mayEnd(first) ? [...next(first), ...next(inOrder(...others))] : next(first);
}

function show({ phases, phase, label, line, printed }) {
  return `${phases?.join(' or ') ?? phase ?? 'any'} | ${label} | line ${line} | ${printed.join(' / ')}`;
}

// Undefined, or what is wrong.
function compare(story, seen) {
  let left = [story];
  for (const [i, one] of seen.entries()) {
    const rest = left.flatMap((story) => after(story, one));
    if (rest.length === 0) {
      return `callback ${i + 1} was:\n  ${show(one)}\nand had to be:\n  ${left.flatMap(next).map(show).join('\n  ')}`;
    }
    left = rest;
  }
  if (left.some(mayEnd)) return undefined;
  return `this is missing at the end:\n  ${left.flatMap(next).map(show).join('\n  ')}`;
}

module.exports = {
  atExit, check, close, compare, either, inOrder, io, main, microtask, pending, poll, promise, readFile, sideBySide,
  tick, timers,
};
