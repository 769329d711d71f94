'use strict';
// What a diagnostic report says: one plain object, in the order and with the names of Node's reports.

const fs = require('fs');
const os = require('os');
const v8 = require('v8');
const { openHandles, statWatchers } = require('internal/native/open_handles');

const kReportVersion = 5;

// ---- The head ----

function commandLine() {
  return [process.argv0, ...process.execArgv, ...process.argv.slice(1)];
}

function networkInterfaces() {
  const list = [];
  for (const [name, addresses] of Object.entries(os.networkInterfaces())) {
    for (const { internal, mac, address, netmask, family, scopeid } of addresses) {
      list.push({ name, internal, mac, address, netmask, family, ...(family === 'IPv6' ? { scopeid } : {}) });
    }
  }
  return list;
}

function processors() {
  return os.cpus().map(({ model, speed, times }) => (
    { model, speed, user: times.user, nice: times.nice, sys: times.sys, idle: times.idle, irq: times.irq }));
}

function header({ event, trigger, filename, time, threadId, excludeNetwork }) {
  const { glibc } = binding('report').libraries();
  return {
    reportVersion: kReportVersion,
    event,
    trigger,
    filename,
    dumpEventTime: `${time.toISOString().slice(0, 19)}Z`,
    dumpEventTimeStamp: String(time.getTime()),
    processId: process.pid,
    threadId,
    cwd: process.cwd(),
    commandLine: commandLine(),
    nodejsVersion: process.version,
    glibcVersionRuntime: glibc.runtime,
    glibcVersionCompiler: glibc.compiler,
    wordSize: 64,
    arch: process.arch,
    platform: process.platform,
    componentVersions: { ...process.versions },
    release: { ...process.release },
    osName: os.type(),
    osRelease: os.release(),
    osVersion: os.version(),
    osMachine: os.machine(),
    cpus: processors(),
    ...(excludeNetwork ? {} : { networkInterfaces: networkInterfaces() }),
    host: os.hostname(),
  };
}

// ---- JavaScript ----

function asText(value) {
  try {
    return String(value);
  } catch {
    return '';
  }
}

function stackOf(error) {
  try {
    return typeof error.stack === 'string' ? error.stack : undefined;
  } catch {
    return undefined;
  }
}

// Own properties of the error that are not part of its stack.
function errorProperties(error) {
  const properties = {};
  for (const key of Object.keys(error)) {
    if (key !== 'stack' && key !== 'message') properties[key] = asText(error[key]);
  }
  return properties;
}

function javascriptStack(error) {
  if (typeof error !== 'object' || error === null) {
    return { message: error === '' ? 'No stack.' : asText(error), stack: ['Unavailable.'], errorProperties: {} };
  }
  const [message = '', ...frames] = (stackOf(error) ?? '').split('\n');
  return {
    message: message || 'No stack.',
    stack: message === '' ? ['Unavailable.'] : frames.map((line) => line.trim()),
    errorProperties: errorProperties(error),
  };
}

function javascriptHeap() {
  const heap = v8.getHeapStatistics();
  const heapSpaces = {};
  for (const space of v8.getHeapSpaceStatistics()) {
    heapSpaces[space.space_name] = {
      memorySize: space.space_size,
      committedMemory: space.physical_space_size,
      capacity: space.space_used_size + space.space_available_size,
      used: space.space_used_size,
      available: space.space_available_size,
    };
  }
  return {
    totalMemory: heap.total_heap_size,
    executableMemory: heap.total_heap_size_executable,
    totalCommittedMemory: heap.total_physical_size,
    availableMemory: heap.total_available_size,
    totalGlobalHandlesMemory: heap.total_global_handles_size,
    usedGlobalHandlesMemory: heap.used_global_handles_size,
    usedMemory: heap.used_heap_size,
    memoryLimit: heap.heap_size_limit,
    mallocedMemory: heap.malloced_memory,
    externalMemory: heap.external_memory,
    peakMallocedMemory: heap.peak_malloced_memory,
    nativeContextCount: heap.number_of_native_contexts,
    detachedContextCount: heap.number_of_detached_contexts,
    doesZapGarbage: heap.does_zap_garbage,
    heapSpaces,
  };
}

// ---- The process ----

function consumption(user, system, uptime) {
  return {
    userCpuSeconds: user,
    kernelCpuSeconds: system,
    cpuConsumptionPercent: (user + system) / uptime * 100,
    userCpuConsumptionPercent: user / uptime * 100,
    kernelCpuConsumptionPercent: system / uptime * 100,
  };
}

function uptime() {
  return Math.max(process.uptime(), 1e-6);
}

function resourceUsage() {
  const usage = process.resourceUsage();
  const rss = process.memoryUsage.rss();
  return {
    free_memory: os.freemem(),
    total_memory: os.totalmem(),
    rss,
    constrained_memory: process.constrainedMemory(),
    available_memory: process.availableMemory(),
    ...consumption(usage.userCPUTime / 1e6, usage.systemCPUTime / 1e6, uptime()),
    maxRss: usage.maxRSS * 1024,
    pageFaults: { IORequired: usage.majorPageFault, IONotRequired: usage.minorPageFault },
    fsActivity: { reads: usage.fsRead, writes: usage.fsWrite },
  };
}

// Of this thread.
function threadUsage() {
  const { user, system } = process.threadCpuUsage();
  const { fsRead, fsWrite } = process.resourceUsage();
  return { ...consumption(user / 1e6, system / 1e6, uptime()), fsActivity: { reads: fsRead, writes: fsWrite } };
}

const kHandleTypes = {
  __proto__: null,
  TCPSocketWrap: 'tcp', TCPServerWrap: 'tcp', Pipe: 'pipe', PipeWrap: 'pipe', PipeServerWrap: 'pipe', TTYWrap: 'tty',
  ProcessWrap: 'process', SignalWrap: 'signal', UDPWrap: 'udp', FSEventWrap: 'fs_event',
};

// A handle has no address that could be of use: they are numbered.
function address(number) {
  return `0x${number.toString(16).padStart(16, '0')}`;
}

function describeSocket(type, handle, excludeNetwork) {
  const { fd } = handle;
  if (!(fd >= 0)) return {};
  const { isListening, ...details } = JSON.parse(binding('report').socket(fd, !excludeNetwork));
  if (type === 'udp') {
    return { ...details, writeQueueSize: handle.getSendQueueSize(), writeQueueCount: handle.getSendQueueCount() };
  }
  const isOpen = !isListening;
  return { ...details, writeQueueSize: handle.writeQueueSize ?? 0, readable: isOpen, writable: isOpen };
}

function describeHandle(type, handle, owner, excludeNetwork) {
  switch (type) {
    case 'fs_event':
      return { filename: String(handle.path) };
    case 'process':
      return { pid: owner.pid };
    case 'tcp':
    case 'udp':
    case 'pipe':
      return describeSocket(type, handle, excludeNetwork);
    case 'tty':
      return { width: owner?.columns, height: owner?.rows };
    default:
      return {};
  }
}

// The loop itself comes last.
function handles(excludeNetwork) {
  const list = [];
  const add = (type, isReferenced, details) => {
    list.push({ type, is_active: true, is_referenced: isReferenced, address: address(list.length + 1), ...details });
  };
  for (const { handle, name, owner } of openHandles()) {
    const type = kHandleTypes[name] ?? name;
    add(type, handle.hasRef(), describeHandle(type, handle, owner(handle), excludeNetwork));
  }
  for (const handle of [...statWatchers]) add('fs_poll', handle.hasRef(), { filename: String(handle.file) });
  for (const [signal, signum] of require('internal/process/signals').watchedSignals()) {
    add('signal', false, { signum, signal });
  }
  // One for all timers, as in Node.
  const { all, timeouts } = require('internal/timers').countActive();
  const { waiting } = require('internal/process/active').countStatWatchers(); // which have timers of their own
  if (all > 0) add('timer', timeouts > waiting, { repeat: 0 });
  const { idleTime } = performance.nodeTiming;
  list.push({ type: 'loop', is_active: list.length > 0, address: address(0), loopIdleTimeSeconds: idleTime / 1e3 });
  return list;
}

const kLimitNames = {
  __proto__: null,
  'Max core file size': 'core_file_size_blocks',
  'Max data size': 'data_seg_size_bytes',
  'Max file size': 'file_size_blocks',
  'Max locked memory': 'max_locked_memory_bytes',
  'Max resident set': 'max_memory_size_bytes',
  'Max open files': 'open_files',
  'Max stack size': 'stack_size_bytes',
  'Max cpu time': 'cpu_time_seconds',
  'Max processes': 'max_user_processes',
  'Max address space': 'virtual_memory_bytes',
};

function limit(text) {
  return text === 'unlimited' ? text : Number(text);
}

function userLimits() {
  const found = {};
  for (const line of fs.readFileSync('/proc/self/limits', 'utf8').split('\n')) {
    const match = /^(\S.*?) {2,}(\S+) +(\S+)/.exec(line);
    const name = match === null ? undefined : kLimitNames[match[1]];
    if (name !== undefined) found[name] = { soft: limit(match[2]), hard: limit(match[3]) };
  }
  const limits = {};
  for (const name of Object.values(kLimitNames)) {
    if (found[name] !== undefined) limits[name] = found[name];
  }
  return limits;
}

// context: { event, trigger, filename, time, threadId, error, excludeNetwork, excludeEnv }
function makeReport(context) {
  return {
    header: header(context),
    javascriptStack: javascriptStack(context.error),
    javascriptHeap: javascriptHeap(),
    nativeStack: binding('report').nativeStack(),
    resourceUsage: resourceUsage(),
    uvthreadResourceUsage: threadUsage(),
    libuv: handles(context.excludeNetwork),
    workers: [],
    ...(context.excludeEnv ? {} : { environmentVariables: { ...process.env } }),
    userLimits: userLimits(),
    sharedObjects: binding('report').libraries().shared,
  };
}

module.exports = { makeReport };
