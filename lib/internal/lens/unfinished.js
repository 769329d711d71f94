'use strict';
// What the program still waits for, and where: awaits, callbacks of promises, streams; and at its end what an
// exit drops. For `rondo explain`, --why-alive and rondo:lens; docs/unfinished.md says more. A report may be
// asked for in the middle of anything: nothing of the program's is called here.

const { describeOpenHandle, describeRequest, describeTimer, isServer } = require('internal/lens/alive_descriptions');
const { nameOf, printable } = require('internal/lens/descriptions');
const { openHandles } = require('internal/native/open_handles');
const { framesOf, keepLocations } = require('internal/lens/source_locations');
const { onExit } = require('internal/process/execution');
const { learnThen, setUnfinishedHooks } = require('internal/async/promise_hooks');
const { activeRequests } = require('internal/native/requests');
const { activeTimers, countActive } = require('internal/timers');
const { SafeMap, SafeWeakMap, slice, startsWith } = require('internal/util/safe');

const native = binding('unfinished');
const { begins, waits } = native;
const { frames } = binding('why_alive');
const { _rawDebug: print } = binding('process_methods');

const kMostEntries = 1000;
const kMostPrinted = 20;
const kMostStreams = 10_000;
const kFrames = 5; // of a stream: constructors of its classes, and what called them

const kNatural = 'nothing was left to wait for';
const kExit = 'process.exit() was called';
const kUncaught = 'an exception was not caught';

// ---- Streams ---------------------------------------------------------------------------------

// Weak: it is not for us to keep a stream that the program has forgotten.
let streams = []; // { stream: WeakRef, frames: where it was made }
let known; // SafeWeakMap: stream -> true

function noteStream(stream) {
  if (known.has(stream)) return; // a Duplex comes twice
  known.set(stream, true);
  if (streams.length === kMostStreams) streams = streams.filter((entry) => entry.stream.deref() !== undefined);
  if (streams.length < kMostStreams) streams.push({ stream: new WeakRef(stream), frames: frames(kFrames) });
}

// What the states of streams are read with, whatever a program puts over it.
let read;

function watchStreams() {
  const EventEmitter = require('events');
  const { Readable, Writable } = require('stream');
  const getter = ({ prototype }, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return Function.prototype.call.bind(get);
  };
  read = {
    flowing: getter(Readable, 'readableFlowing'),
    isEnded: getter(Readable, 'readableEnded'),
    unread: getter(Readable, 'readableLength'),
    readsObjects: getter(Readable, 'readableObjectMode'),
    isEnding: getter(Writable, 'writableEnded'),
    isFinished: getter(Writable, 'writableFinished'),
    needsDrain: getter(Writable, 'writableNeedDrain'),
    unwritten: getter(Writable, 'writableLength'),
    writesObjects: getter(Writable, 'writableObjectMode'),
  };
  known = new SafeWeakMap();
  const { init } = EventEmitter;
  // Every stream is an emitter, and has its state before it becomes one.
  EventEmitter.init = function (options) {
    init.call(this, options);
    if (this._readableState !== undefined || this._writableState !== undefined) noteStream(this);
  };
}

function amount(count, areObjects) {
  if (areObjects) return count === 1 ? '1 object waits' : `${count} objects wait`;
  return count === 1 ? '1 byte waits' : `${count} bytes wait`;
}

function nameOfStream(stream) {
  const prototype = Object.getPrototypeOf(stream);
  return printable(nameOf(Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value)) || 'stream';
}

function describeWriting(stream) {
  if (stream._writableState.destroyed) return undefined;
  const count = read.unwritten(stream);
  const waiting = `${amount(count, read.writesObjects(stream))} to be written`;
  if (read.needsDrain(stream)) return count > 0 ? `'drain' never came, ${waiting}` : "'drain' never came";
  if (count > 0) return waiting;
  return read.isEnding(stream) && !read.isFinished(stream) ? "end() was called, 'finish' never came" : undefined;
}

function describeReading(stream, isAtEnd) {
  const state = stream._readableState;
  if (state.destroyed || read.isEnded(stream)) return undefined;
  const count = read.unread(stream);
  const [target] = state.pipes ?? [];
  if (count > 0 && read.flowing(stream) !== true) {
    const waiting = amount(count, read.readsObjects(stream));
    return target === undefined ? `${waiting} for a reader` : `${waiting} until ${nameOfStream(target)} takes more`;
  }
  const isRead = read.flowing(stream) === true || state.readableListening;
  // While the program runs that is how a reader should be.
  return isAtEnd && isRead && !state.ended ? 'its reader waits for more, the end never came' : undefined;
}

// Undefined for a stream that waits for nothing.
function describeStream(stream, isAtEnd) {
  const parts = [];
  try {
    if (stream._writableState) parts.push(describeWriting(stream));
    if (stream._readableState) parts.push(describeReading(stream, isAtEnd));
  } catch {
    return undefined; // not one of ours
  }
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? undefined : `${nameOfStream(stream)}: ${said.join('; ')}`;
}

// ---- Source locations ---------------------------------------------------------------------

function toPath(file) {
  return startsWith(file, 'file://') ? slice(file, 'file://'.length) : file;
}

// The first of some frames: a site, or null.
function toSite([name, file, line, column]) {
  return file === undefined ? null : { file: toPath(file), line, column, function: name };
}

// Where a resource was made.
function siteOf(resource) {
  return toSite(framesOf(resource));
}

// Where a stream was made: outside of the constructors of its classes.
function siteOfStream(stream, made) {
  const names = [];
  for (let object = Object.getPrototypeOf(stream); object !== null; object = Object.getPrototypeOf(object)) {
    names.push(nameOf(Object.getOwnPropertyDescriptor(object, 'constructor')?.value));
  }
  let at = 0;
  while (at < made.length && made[at] !== '' && names.includes(made[at])) at += 4;
  return toSite(at < made.length ? made.slice(at) : made) ?? siteOf(stream._handle);
}

// A source location that is known to C++.
function locationOf(number) {
  const [file, name, line, column, source, isAwait, count] = native.location(number);
  const site = file === '' ? null : { file, line, column, function: name };
  return { site, source, isAwait, count };
}

// Whether a position of a file is outside of all its functions.
function isTopLevel({ file, line, column }) {
  try {
    const text = require('internal/modules/cjs/loader').readSource(file);
    const { parse } = require('deps/acorn/dist/acorn');
    const tree = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
    let offset = 0;
    for (let i = 1; i < line; i++) offset = text.indexOf('\n', offset) + 1;
    return !isInFunction(tree, offset + column - 1);
  } catch {
    return false;
  }
}

function isInFunction(node, offset) {
  if (node === null || typeof node !== 'object') return false;
  if (Array.isArray(node)) return node.some((child) => isInFunction(child, offset));
  if (typeof node.type !== 'string' || offset < node.start || offset >= node.end) return false;
  if (node.type.includes('Function')) return true;
  return Object.values(node).some((child) => isInFunction(child, offset));
}

function describeAwait(site) {
  if (site === null) return 'await elsewhere';
  if (site.function !== '') return `await in ${printable(site.function)}`;
  return isTopLevel(site) ? 'top-level await' : 'await in a function without a name';
}

// ---- The list --------------------------------------------------------------------------------

// In the order of the source; at the same location in this order.
const kOrder = ['await', 'promise', 'stream', 'request', 'timer', 'child', 'handle'];

function compare(a, b) {
  if (a.site === null || b.site === null) return (a.site === null) - (b.site === null);
  if (a.site.file !== b.site.file) return a.site.file < b.site.file ? -1 : 1;
  return a.site.line - b.site.line || kOrder.indexOf(a.kind) - kOrder.indexOf(b.kind) ||
         a.site.column - b.site.column;
}

class Entries {
  #entries = new SafeMap();

  add(kind, what, site, { source, count = 1, key = what } = {}) {
    const where = site === null ? '' : `${site.file}:${site.line}:${site.column}`;
    const whole = `${kind} ${key} ${where}`;
    const entry = this.#entries.get(whole);
    if (entry !== undefined) entry.count += count;
    else this.#entries.set(whole, { kind, what, count, site, source });
  }

  list() {
    const entries = [...this.#entries.values()].sort(compare).slice(0, kMostEntries);
    for (const entry of entries) {
      entry.source ??= entry.site === null ? '' : native.lineOf(entry.site.file, entry.site.line);
    }
    return entries;
  }
}

// `end`: how the program ended; undefined while it runs.
function addPromises(entries, end) {
  const linesOfAwaits = new SafeMap();
  const callbacks = [];
  for (const number of native.waiting()) {
    const { site, source, isAwait, count } = locationOf(number);
    if (isAwait) {
      entries.add('await', describeAwait(site), site, { source, count });
      if (site !== null) linesOfAwaits.set(`${site.file}:${site.line}`, true);
    } else {
      callbacks.push({ site, source, count });
    }
  }
  // process.exit() in an async function leaves the promise of that function pending.
  if (end !== undefined && end !== kNatural) return;
  for (const { site, source, count } of callbacks) {
    // Those that Promise.all() and similar functions created for an await.
    if (linesOfAwaits.get(`${site.file}:${site.line}`) !== undefined) continue;
    entries.add('promise', 'callback of a promise', site, { source, count });
  }
}

function addStreams(entries, end) {
  const listed = new SafeMap();
  for (const { stream: reference, frames: made } of streams) {
    const stream = reference.deref();
    const what = stream === undefined ? undefined : describeStream(stream, end !== undefined);
    if (what === undefined) continue;
    listed.set(stream, true);
    entries.add('stream', what, siteOfStream(stream, made));
  }
  return listed;
}

// What a program that ends leaves in the loop. What is unref'd does not count, except children.
function addDropped(entries, listed) {
  const handles = openHandles();
  const referenced = new SafeMap();
  for (const entry of handles) {
    const { handle, name, owner } = entry;
    const object = owner(handle);
    const key = () => describeOpenHandle(entry, true);
    if (handle.hasRef()) referenced.set(handle, true);
    if (name === 'ProcessWrap') {
      entries.add('child', describeOpenHandle(entry, false), siteOf(handle), { key: key() });
    } else if (handle.hasRef() && !isServer(object) && !(handle.fd >= 0 && handle.fd <= 2) && !listed.has(object)) {
      const words = describeOpenHandle(entry, false);
      entries.add('handle', words.includes(', ') ? words : `${words}, open`, siteOf(handle), { key: key() });
    }
  }
  for (const request of activeRequests()) {
    if (!referenced.has(request.handle)) entries.add('request', describeRequest(request), siteOf(request));
  }
  for (const { timer, isRefed } of activeTimers()) {
    if (isRefed) entries.add('timer', describeTimer(timer, 0, true), siteOf(timer));
  }
  const { immediates } = countActive();
  if (immediates > 0) entries.add('timer', 'immediate', null, { count: immediates });
}

// [{ kind, what, count, site: { file, line, column, function } or null, source }]
function unfinished(end = undefined) {
  const entries = new Entries();
  addPromises(entries, end);
  const listed = addStreams(entries, end);
  if (end !== undefined) addDropped(entries, listed);
  return entries.list();
}

// ---- As text ---------------------------------------------------------------------------------

function countOf(list) {
  return list.reduce((sum, { count }) => sum + count, 0);
}

function linesOf(list, margin) {
  const lines = [];
  for (const { what, count, site, source } of list.slice(0, kMostPrinted)) {
    lines.push(`${margin}${what}${count === 1 ? '' : ` (and ${count - 1} more like it)`}`);
    if (site === null) continue;
    const at = `${site.file}:${site.line}:${site.column}`;
    lines.push(`${margin}    at ${site.function === '' ? at : `${site.function} (${at})`}`);
    if (source !== '') lines.push(`${margin}    | ${printable(source)}`);
  }
  const more = list.length - kMostPrinted;
  if (more > 0) lines.push(`${margin}(and ${more} more ${more === 1 ? 'place' : 'places'})`);
  return lines;
}

// For the report of --why-alive while the program runs.
function linesOfReport() {
  if (!isStarted) return [];
  const list = unfinished();
  const count = countOf(list);
  if (count === 0) return [];
  return [`  ${count === 1 ? '1 thing is' : `${count} things are`} unfinished:`, ...linesOf(list, '    ')];
}

function printAtEnd(list, end, code) {
  const count = countOf(list);
  if (count === 0) return;
  const words = count === 1 ? '1 thing was' : `${count} things were`;
  print([`[why-alive] ${words} left unfinished (${end}, exit code ${code})`, ...linesOf(list, '  ')].join('\n'));
}

// ---- The beginning ---------------------------------------------------------------------------

let isStarted = false;

// From now on it is known what waits.
function start() {
  if (isStarted) return;
  isStarted = true;
  learnThen();
  setUnfinishedHooks({
    init(promise, parent) {
      if (parent !== undefined) waits(promise, parent);
    },
    before: (promise) => begins(promise),
  });
  watchStreams();
}

let reportsToLens = false;
let printsAtEnd = false;

function atEnd(end, code) {
  const list = unfinished(end);
  if (printsAtEnd && end !== kUncaught) printAtEnd(list, end, code);
  if (!reportsToLens || list.length === 0) return;
  const parts = [];
  for (const { kind, what, count, site, source } of list) {
    const { file, function: name, line, column } = site ?? { file: '', function: '', line: 0, column: 0 };
    parts.push(kind, what, count, file, name, line, column, source);
  }
  native.report(parts);
}

// With the end of the program: `toLens` for explain, otherwise for --why-alive.
function startForEnd({ toLens }) {
  if (toLens) reportsToLens = true;
  else printsAtEnd = true;
  keepLocations(true);
  start();
  onExit((way, code) => atEnd({ natural: kNatural, exit: kExit, uncaught: kUncaught }[way], code));
}

module.exports = { linesOfReport, start, startForEnd, unfinished };
