'use strict';
// What V8's inspector asks of lib/ for a session: the console of a debugger, and tasks for stacks across them.

const native = binding('inspector');

// `require` for what is typed into the console of a debugger.
function extendConsole(commands) {
  if (commands.require) return;
  const { Module, makeRequire } = require('internal/modules/cjs/loader');
  const module = new Module('<inspector console>');
  module.paths = [];
  let folder;
  try {
    folder = process.cwd();
  } catch {
    folder = require('path').dirname(process.execPath);
  }
  module.paths.push(...Module._nodeModulePaths(folder), ...Module.globalPaths);
  commands.require = makeRequire(module);
}

let hook;

// Debugger.setAsyncCallStackDepth: V8 follows promises by itself; all other tasks are reported to it.
function setAsyncHook(isEnabled) {
  hook ??= require('async_hooks').createHook({
    init(id, type) { native.taskScheduled(type, id); },
    before(id) { native.taskStarted(id); },
    after(id) { native.taskFinished(id); },
    destroy(id) { native.taskCancelled(id); },
    trackPromises: false,
  });
  if (isEnabled) hook.enable();
  else hook.disable();
}

module.exports = { extendConsole, setAsyncHook };
