'use strict';
// --trace-sync-io: shows where a program waits for files or processes when it could have gone on, from when its loop
// runs. The C++ functions are wrapped: the wrapper checks whether a callback was passed.

let isLooping = false;

const kFrames = 10;

// Without the two functions of this file.
function warn() {
  const frames = binding('util').getCallSites(kFrames + 2).slice(2);
  const lines = frames.map(({ functionName, scriptName, lineNumber, columnNumber }) => {
    const place = `${scriptName}:${lineNumber}:${columnNumber}`;
    return `    at ${functionName === '' ? place : `${functionName} (${place})`}\n`;
  });
  process._rawDebug(`(node:${process.pid}) WARNING: Detected use of sync API\n${lines.join('')}`);
}

function guard(native, name, isWaiting) {
  const method = native[name];
  native[name] = function(...args) {
    if (isLooping && isWaiting(args)) warn();
    return Reflect.apply(method, native, args);
  };
}

module.exports = function traceSyncIo() {
  const files = binding('fs');
  for (const name of Object.keys(files)) {
    // (requests, number, ...): without requests it is done at once
    if (typeof files[name] === 'function') guard(files, name, ([requests]) => requests === undefined);
  }
  const alwaysWaiting = binding('fs_sync');
  for (const name of Object.keys(alwaysWaiting)) guard(alwaysWaiting, name, () => true);
  guard(binding('child_process'), 'spawnSync', () => true);
  require('timers').setImmediate(() => { isLooping = true; }).unref();
};
