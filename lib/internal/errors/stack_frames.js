'use strict';
// Frames of lib/ that a stack does not show: where Node has one function, we have two. Programs see
// how many there are, in their logs and by Error.stackTraceLimit. The frames are taken out when a
// stack is read, so no callback runs any slower for it. V8 has counted them against the limit by
// then: a stack that reaches it is a few frames shorter.

// By file: names of functions, as CallSite.getFunctionName() has them.
const kHidden = {
  '__proto__': null,
  'node:buffer': ['validateSize'],
  'node:fs': ['statNow'],
  'node:internal/async_hooks': ['callForLens', 'callInContext'],
  'node:internal/child_process': ['onExit'],
  'node:internal/event_target': ['callListener'],
  'node:internal/fs/native': ['callNative', 'now'],
  'node:internal/fs/whole_files': ['finish'],
  'node:internal/messaging/message_channel': ['dispatch'],
  'node:internal/net/server': ['onaccept'],
  'node:internal/process/execution': ['emit', 'emitForLens', 'emitBeforeExit', 'emitExit'],
  'node:internal/process/permission': ['accessDenied', 'check', 'denial', 'lstatDenial'],
  'node:internal/process/permission_guards': ['firstDenial', null, 'native.<computed>', 'sync.readFile', 'sync.stat'],
  'node:internal/process/promises': ['emit', 'report'],
  'node:internal/process/signals': ['signal.onsignal'],
  'node:internal/process/task_queues': ['call', 'callObserved', 'callReported', 'callUnforeseen', 'runAll'],
  'node:internal/async/queue_microtask': ['runNext', 'runNextReported'],
  'node:internal/native/requests': ['complete'],
  'node:internal/native/stream_handle': ['readInto'],
  'node:internal/timers': ['runImmediate', 'runVisit'],
  'node:internal/url': ['invalidURL'],
};
const kTimers = 'node:internal/timers';

// Microtasks that follow a timer run beneath processTimers(), in Node beneath nothing.
function isBelowMicrotask(trace, i) {
  if (trace[i].getFunctionName() !== 'processTimers') return false;
  const above = i > 0 ? trace[i - 1] : undefined;
  return above?.getFileName() !== kTimers || above.getFunctionName() !== 'listOnTimeout';
}

function isHidden(trace, i) {
  const file = trace[i].getFileName();
  const names = kHidden[file];
  if (names === undefined) return false;
  return names.includes(trace[i].getFunctionName()) ||
    (file === kTimers && isBelowMicrotask(trace, i));
}

// The call sites of a stack without those frames.
function visibleFrames(trace) {
  let visible;
  for (let i = 0; i < trace.length; i++) {
    if (isHidden(trace, i)) visible ??= trace.slice(0, i);
    else visible?.push(trace[i]);
  }
  return visible ?? trace;
}

module.exports = { visibleFrames };
