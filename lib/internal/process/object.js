'use strict';
// `process`: put together from its parts. install() makes what is the same in every run, start()
// fills in the rest.

function install(process, { loaded }) {
  Object.defineProperty(process, 'moduleLoadList', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() { return Array.from(loaded.keys(), (id) => `NativeModule ${id}`); },
  });
  require('internal/process/methods').install(process);
  require('internal/process/execution').install(process);
  const { nextTick, runNextTicks } = require('internal/process/task_queues');
  process.nextTick = nextTick;
  process._tickCallback = runNextTicks;
  process.domain = null;
  Object.assign(process, {
    getActiveResourcesInfo() { return require('internal/process/active').getActiveResourcesInfo(); },
    _getActiveHandles() { return require('internal/process/active').getActiveHandles(); },
    _getActiveRequests() { return require('internal/process/active').getActiveRequests(); },
  });
  process.openStdin = function openStdin() {
    process.stdin.resume();
    return process.stdin;
  };
  process.getBuiltinModule = function getBuiltinModule(id) {
    require('internal/validators').validateString(id, 'id');
    const found = require('internal/modules/builtin_ids').builtinId(id);
    return found === undefined ? undefined : require(found);
  };
  process.dlopen = function dlopen(...args) {
    require('internal/process/addons').load(args);
  };
  process._debugProcess = function _debugProcess(pid) {
    process.kill(pid, 'SIGUSR1');
  };
  process._debugEnd = function _debugEnd() {
    require('internal/inspector/server').close();
  };
  for (const name of ['_startProfilerIdleNotifier', '_stopProfilerIdleNotifier']) {
    process[name] = { [name]() {} }[name];
  }
  Object.defineProperty(process, 'report', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() { return require('internal/process/report').report; },
  });
  for (const name of ['stdin', 'stdout', 'stderr']) {
    Object.defineProperty(process, name, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() { return require('internal/process/stdio')[name](); },
    });
  }
}

function start(process, { argv, execArgv, execPath, argv0 }) {
  process.argv = argv;
  process.execArgv = execArgv;
  process.execPath = execPath;
  Object.defineProperty(process, 'argv0', { __proto__: null, enumerable: true, value: argv0 });
  require('internal/process/methods').start(process);
  // V8 keeps the properties of an object with so many of them in a hash table, unless it is a
  // prototype: then they are found as fast as those of any other.
  Object.create(process);
}

module.exports = { install, start };
