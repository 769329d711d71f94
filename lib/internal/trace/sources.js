'use strict';
// Where the events of node:trace_events come from. Each source serves some groups of categories; it is started when one
// of them is on and stopped when none is. src/runtime/observe/trace_log.h keeps the categories and writes the file, C++
// also records V8 (src/runtime/engine/host/tracing_controller.h) and of the loop's callbacks (environment.cpp).

const { getOptionValue } = require('internal/options');
const { traced } = require('internal/trace/traced');
const native = binding('trace_events');

const kDefaultCategories = 'v8,node,node.async_hooks';

const kAsyncHooks = 'node,node.async_hooks';
const kBootstrap = 'node,node.bootstrap';
const kConsole = 'node,node.console';
const kEnvironment = 'node,node.environment';
const kFsAsync = 'node,node.fs,node.fs.async';
const kFsSync = 'node,node.fs,node.fs.sync';
const kFsDirAsync = 'node,node.fs_dir,node.fs_dir.async';
const kFsDirSync = 'node,node.fs_dir,node.fs_dir.sync';
const kHttp = 'node,node.http';
const kModuleTimer = 'node,node.module_timer';
const kNet = 'node,node.net,node.net.native';
const kRejections = 'node,node.promises,node.promises.rejections';
const kVm = 'node,node.vm,node.vm.script';

// ---- Writing -----------------------------------------------------------------------------------------------------

const flags = new Map(); // of each group a Uint8Array, which C++ changes

function flagOf(group) {
  let flag = flags.get(group);
  if (flag === undefined) flags.set(group, flag = native.getFlag(group));
  return flag;
}

function isOn(group) {
  return flagOf(group)[0] !== 0;
}

// `time` in milliseconds, as performance.now() counts them: only of what has been before.
function write(phase, group, name, id, args, time) {
  const idField = id === undefined ? '' : `"id":"0x${id.toString(16)}",`;
  const argsText = args === undefined ? '{}' : JSON.stringify(args);
  native.add(`"ph":"${phase}","cat":${JSON.stringify(group)},"name":${JSON.stringify(name)},"dur":0,"tdur":0,` +
    `${idField}"args":${argsText}`, time);
}

// What Node's JavaScript uses to add an event: phase as a character code, any group.
function trace(phase, group, name, id, data) {
  if (isOn(group)) write(String.fromCharCode(phase), group, name, id, data === undefined ? undefined : { data });
}

// ---- Tasks -------------------------------------------------------------------------------------------------------

const types = new Map(); // of tasks that exist, by id
let hook;

// Node's C++ and its JavaScript record callbacks with different phases.
function callbackPhase(type, isBegin) {
  const isNative = type !== 'PROMISE' && type in require('internal/native/async_providers');
  if (isNative) return isBegin ? 'b' : 'e';
  return isBegin ? 'B' : 'E';
}

function writeCallback(id, isBegin) {
  const type = types.get(id);
  if (type !== undefined) write(callbackPhase(type, isBegin), kAsyncHooks, `${type}_CALLBACK`, id);
}

const tasks = {
  groups: [kAsyncHooks],
  start() {
    const { createHook, executionAsyncId } = require('async_hooks');
    hook ??= createHook({
      init(id, type, triggerAsyncId) {
        types.set(id, type);
        write('b', kAsyncHooks, type, id, { data: { triggerAsyncId, executionAsyncId: executionAsyncId() } });
      },
      before(id) { writeCallback(id, true); },
      after(id) { writeCallback(id, false); },
      destroy(id) {
        const type = types.get(id);
        if (type === undefined) return;
        types.delete(id);
        write('e', kAsyncHooks, type, id);
      },
    });
    hook.enable();
  },
  stop() { hook.disable(); },
};

// ---- Files -------------------------------------------------------------------------------------------------------

// What the operation is called in events, where it is not the method's name in small letters.
const fileOperations = {
  __proto__: null,
  exists: 'access',
  readFile: 'read',
  readBuffers: 'read',
  writeBuffer: 'write',
  writeBuffers: 'write',
  writeFile: 'write',
};
const kDirOperations = new Set(['opendir', 'readEntries', 'closedir']);
// One operation here, several in Node: the log also shows its open and its close.
const kWholeFile = new Set(['readFile', 'writeFile']);

let guarded = false;

function span(group, name, call) {
  write('B', group, name);
  try {
    return call();
  } finally {
    write('E', group, name);
  }
}

function moment(group, name) {
  span(group, name, () => {});
}

function syncSpan(method, name, call) {
  const group = kDirOperations.has(method) ? kFsDirSync : kFsSync;
  if (!isOn(group)) return call();
  const prefix = group === kFsSync ? 'fs.sync' : 'fs_dir.sync';
  if (!kWholeFile.has(method)) return span(group, `${prefix}.${name}`, call);
  moment(group, 'fs.sync.open');
  if (method === 'readFile') moment(group, 'fs.sync.fstat');
  try {
    return span(group, `fs.sync.${name}`, call);
  } finally {
    moment(group, 'fs.sync.close');
  }
}

function guard(fs, method) {
  const own = fs[method];
  if (typeof own !== 'function') return;
  const name = fileOperations[method] ?? method.toLowerCase();
  const { requestOf } = require('internal/native/requests');
  fs[method] = function(requests, number, ...args) {
    const call = () => Reflect.apply(own, fs, [requests, number, ...args]);
    if (requests === undefined) return syncSpan(method, name, call);
    const group = kDirOperations.has(method) ? kFsDirAsync : kFsAsync;
    if (!isOn(group)) return call();
    write('b', group, name, number);
    const request = requestOf(number);
    const { oncomplete } = request;
    request.oncomplete = function(...results) {
      write('e', group, name, number);
      return Reflect.apply(oncomplete, this, results);
    };
    return call();
  };
}

const files = {
  groups: [kFsSync, kFsAsync, kFsDirSync, kFsDirAsync],
  start() {
    if (guarded) return; // the guards stay; they ask for the flags
    guarded = true;
    const fs = binding('fs');
    for (const method of Object.keys(fs)) guard(fs, method);
    const sync = binding('fs_sync');
    const { readFile, stat } = sync;
    sync.readFile = (...args) => syncSpan('readFile', 'read', () => Reflect.apply(readFile, sync, args));
    sync.stat = (path, follows, ...rest) =>
      syncSpan('stat', follows ? 'stat' : 'lstat', () => stat(path, follows, ...rest));
  },
  stop() {},
};

// ---- Others ------------------------------------------------------------------------------------------------------

const consoles = {
  groups: [kConsole],
  start() {
    traced.console = (phase, name, data) =>
      write(phase, kConsole, name, 0, data === undefined ? undefined : { data });
  },
  stop() { traced.console = undefined; },
};

const connections = {
  groups: [kNet],
  start() {
    traced.connect = (phase, id, about) => {
      if (phase === 'e') return write('e', kNet, 'connect', id, { status: about });
      const { path, address, port } = about;
      const isAbstract = path !== undefined && path[0] === '\0';
      return write('b', kNet, 'connect', id, path === undefined ? { ip: address, port } :
        { path_type: isAbstract ? 'abstract socket' : 'file', pipe_path: isAbstract ? path.slice(1) : path });
    };
  },
  stop() { traced.connect = undefined; },
};

const rejections = {
  groups: [kRejections],
  unhandled: 0,
  handledAfter: 0,
  start() {
    traced.rejections = (unhandled, handledAfter) => {
      this.unhandled += unhandled;
      this.handledAfter += handledAfter;
      write('C', kRejections, 'rejections', undefined,
        { unhandled: this.unhandled, handledAfter: this.handledAfter });
    };
  },
  stop() { traced.rejections = undefined; },
};

const requires = {
  groups: [kModuleTimer],
  start() {
    require('internal/modules/cjs/load_times').setWriter((phase, name) => write(phase, kModuleTimer, name, 0));
  },
  stop() { require('internal/modules/cjs/load_times').setWriter(undefined); },
};

let lastHttpId = 0;
const httpIds = new WeakMap(); // request -> id

function beginHttp(name, request, args) {
  httpIds.set(request, ++lastHttpId);
  write('b', kHttp, name, lastHttpId, args);
}

function endHttp(name, request, args) {
  const id = httpIds.get(request);
  if (id === undefined) return;
  httpIds.delete(request);
  write('e', kHttp, name, id, args);
}

const httpChannels = [
  ['http.client.request.start', ({ request }) => beginHttp('http.client.request', request)],
  ['http.client.response.finish', ({ request, response }) => endHttp('http.client.request', request,
    { path: request.path, statusCode: response.statusCode })],
  ['http.server.request.start', ({ request }) => beginHttp('http.server.request', request)],
  ['http.server.response.finish', ({ request, response }) => endHttp('http.server.request', request,
    { url: request.url, statusCode: response.statusCode })],
];

const http = {
  groups: [kHttp],
  start() {
    const { subscribe } = require('diagnostics_channel');
    for (const [name, listener] of httpChannels) subscribe(name, listener);
  },
  stop() {
    const { unsubscribe } = require('diagnostics_channel');
    for (const [name, listener] of httpChannels) unsubscribe(name, listener);
  },
};

let vmGuarded = false;

const scripts = {
  groups: [kVm],
  start() {
    if (vmGuarded) return;
    vmGuarded = true;
    const contextify = binding('contextify');
    const { compileScript, runScript } = contextify;
    contextify.compileScript = function(...args) {
      const call = () => Reflect.apply(compileScript, this, args);
      return isOn(kVm) ? span(kVm, 'ContextifyScript::New', call) : call();
    };
    contextify.runScript = function(...args) {
      const call = () => Reflect.apply(runScript, this, args);
      return isOn(kVm) ? span(kVm, 'RunInContext', call) : call();
    };
  },
  stop() {},
};

// ---- Starting and stopping ---------------------------------------------------------------------------------------

const sources = [tasks, files, consoles, connections, rejections, http, requires, scripts];
const running = new Set();

// Categories have changed.
function update() {
  for (const source of sources) {
    const wanted = source.groups.some(isOn);
    if (wanted === running.has(source)) continue;
    if (wanted) {
      running.add(source);
      source.start();
    } else {
      running.delete(source);
      source.stop();
    }
  }
}

function writeMetadata() {
  const { isMainThread, threadId, threadName } = require('worker_threads');
  const add = (name, args) => native.addMetadata(name, JSON.stringify(args));
  if (!isMainThread) {
    add('thread_name', { name: `[worker ${threadId}]${threadName ? ` ${threadName}` : ''}` });
    return;
  }
  add('process_name', { name: process.title });
  add('version', { node: process.versions.node });
  add('thread_name', { name: 'JavaScriptMainThread' });
  const { arch, platform, release: { name, lts }, versions } = process;
  add('node', { process: { versions: { ...versions }, arch, platform, release: { name, lts } } });
}

// The stages of the start, which are over.
function writeStart({ argv, execArgv }) {
  if (isOn(kEnvironment)) write('b', kEnvironment, 'Environment', 1, { args: { args: argv, exec_args: execArgv } });
  if (!isOn(kBootstrap)) return;
  const { reached, stages } = require('internal/perf/node_timing');
  for (const stage of stages) {
    const time = reached(stage);
    if (time >= 0) write('I', kBootstrap, stage, undefined, undefined, time);
  }
}

function startLog() {
  if (native.getStarted()) return;
  native.start(getOptionValue('--trace-event-file-pattern'));
  writeMetadata();
}

// At the start of a thread, if trace events are on already.
function start(info) {
  if (info.main.kind === 'worker') {
    writeMetadata();
  } else {
    startLog();
    const categories = getOptionValue('--trace-event-categories') ?? kDefaultCategories;
    native.enable([...new Set(categories.split(',').filter((name) => name !== ''))]);
    writeStart(info);
  }
  update();
}

function enable(categories) {
  startLog();
  native.enable(categories);
  update();
}

function disable(categories) {
  native.disable(categories);
  update();
}

module.exports = { disable, enable, flagOf, isOn, start, trace };
