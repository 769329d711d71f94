'use strict';
// node:v8: figures about V8, and its serializer with a way to write what V8 leaves to us: views of
// memory.

const { Serializer, Deserializer } = binding('serdes');
const native = binding('v8');
const { FastBuffer } = require('internal/buffer/fast_buffer');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_NOT_BUILDING_SNAPSHOT } } = require('internal/errors');
const { heapStatistics, named } = require('internal/v8/heap_statistics');
const { readSnapshotOptions, streamOf } = require('internal/v8/heap_snapshot');
const { emitExperimentalWarning, kEmptyObject } = require('internal/util');
const { startCpuProfile, startHeapProfile } = require('internal/v8/profiles');
const { validateFunction, validateObject, validateOneOf, validateString, validateUint32 } = require('internal/validators');
const { getOptionValue } = require('internal/options');

// ---- Figures ----

function getHeapStatistics() {
  return heapStatistics(native.heapStatistics());
}

function describeSpace([name, values]) {
  return named(native.spaceNames, values, { space_name: name });
}

function getHeapSpaceStatistics() {
  return native.heapSpaceStatistics().map(describeSpace);
}

function getHeapCodeStatistics() {
  return named(native.codeNames, native.heapCodeStatistics());
}

// Of V8's own C++ objects.
function getCppHeapStatistics(type = 'detailed') {
  validateOneOf(type, 'type', ['brief', 'detailed']);
  const result = JSON.parse(native.cppHeapStatistics(type === 'detailed'));
  result.detail_level = type;
  return result;
}

function cachedDataVersionTag() {
  return native.cachedDataVersionTag();
}

function setFlagsFromString(flags) {
  validateString(flags, 'flags');
  native.setFlagsFromString(flags);
}

// ---- Pictures of the heap ----

function writeHeapSnapshot(filename, options) {
  const { exposeNumericValues: numbers } = readSnapshotOptions(options);
  if (filename === undefined) {
    filename = require('internal/v8/profile_files').defaultName('Heap', 'heapsnapshot');
  } else {
    filename = `${require('internal/fs/utils').getValidatedPath(filename)}`;
  }
  require('internal/process/permission').check('fs.write', filename);
  native.writeHeapSnapshot(filename, numbers);
  return filename;
}

function getHeapSnapshot(options) {
  const { exposeNumericValues } = readSnapshotOptions(options);
  return streamOf(native.heapSnapshot(exposeNumericValues));
}

// Once, as the option --heapsnapshot-near-heap-limit does.
let isLimitWatched = false;

function setHeapSnapshotNearHeapLimit(limit) {
  validateUint32(limit, 'limit', true);
  if (isLimitWatched || Number(getOptionValue('--heapsnapshot-near-heap-limit')) > 0) return;
  isLimitWatched = true;
  require('internal/v8/profile_files').snapshotNearHeapLimit(limit);
}

let isLimitProfiled = false;

// The profile of allocations that is running then.
function setHeapProfileNearHeapLimit(limit) {
  validateUint32(limit, 'limit', true);
  if (isLimitProfiled) return;
  isLimitProfiled = true;
  require('internal/v8/profile_files').profileNearHeapLimit(limit);
}

// ---- Collections of garbage ----

// total_heap_size -> totalHeapSize
function toCamelCase(object) {
  const result = {};
  for (const [name, value] of Object.entries(object)) {
    result[name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())] = value;
  }
  return result;
}

function describeHeap([heap, spaces]) {
  const {
    doesZapGarbage, numberOfNativeContexts, numberOfDetachedContexts, totalAllocatedBytes, ...heapStatistics
  } = toCamelCase(named(native.heapNames, heap));
  return {
    heapStatistics,
    heapSpaceStatistics: spaces.map((space) => toCamelCase(describeSpace(space))),
  };
}

class GCProfiler {
  #profile = null;
  #startTime = 0;

  start() {
    if (this.#profile !== null) return;
    this.#profile = new native.GCProfile();
    this.#startTime = Date.now();
    this.#profile.start();
  }

  stop() {
    if (this.#profile === null) return undefined;
    const collections = this.#profile.stop();
    this.#profile = null;
    return {
      version: 1,
      startTime: this.#startTime,
      statistics: collections.map(([gcType, cost, before, after]) => ({
        gcType, beforeGC: describeHeap(before), afterGC: describeHeap(after), cost,
      })),
      endTime: Date.now(),
    };
  }

  [Symbol.dispose]() {
    this.stop();
  }
}

// The objects that a class and its subclasses have made and that can still be reached.
function queryObjects(constructor, options = kEmptyObject) {
  validateFunction(constructor, 'constructor');
  validateObject(options, 'options');
  const format = options.format || 'count';
  if (format !== 'count' && format !== 'summary') throw new ERR_INVALID_ARG_VALUE('options.format', format);
  emitExperimentalWarning('v8.queryObjects()');
  const objects = native.queryObjects(constructor.prototype);
  if (format === 'count') return objects.length;
  const { inspect } = require('internal/util/inspect');
  return objects.map((object) => inspect(object, { depth: 0 }));
}

function isStringOneByteRepresentation(content) {
  validateString(content, 'content');
  return native.isOneByte(content);
}

// ---- Serializing ----

for (const Class of [Serializer, Deserializer]) Object.defineProperty(Class, 'prototype', { __proto__: null, writable: false });
Serializer.prototype._getDataCloneError = Error;

Deserializer.prototype.readRawBytes = function readRawBytes(length) {
  const offset = this._readRawBytes(length);
  return new FastBuffer(this.buffer.buffer, this.buffer.byteOffset + offset, length);
};

// A view is written as the number of its class here, its length and its bytes.
const kViewClasses = [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
  Float32Array, Float64Array, DataView, FastBuffer, BigInt64Array, BigUint64Array, Float16Array,
];

function viewIndex(view) {
  const { Buffer } = require('buffer');
  if (view instanceof Buffer) return kViewClasses.indexOf(FastBuffer);
  const name = Object.prototype.toString.call(view).slice(8, -1);
  return kViewClasses.findIndex((Class) => Class.name === name);
}

class DefaultSerializer extends Serializer {
  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(abView) {
    const index = ArrayBuffer.isView(abView) ? viewIndex(abView) : -1;
    if (index === -1) {
      const { inspect } = require('internal/util/inspect');
      throw new this._getDataCloneError(`Unserializable host object: ${inspect(abView)}`);
    }
    this.writeUint32(index);
    this.writeUint32(abView.byteLength);
    this.writeRawBytes(new Uint8Array(abView.buffer, abView.byteOffset, abView.byteLength));
  }
}

class DefaultDeserializer extends Deserializer {
  _readHostObject() {
    const Class = kViewClasses[this.readUint32()];
    const byteLength = this.readUint32();
    const offset = this.buffer.byteOffset + this._readRawBytes(byteLength);
    const size = Class.BYTES_PER_ELEMENT || 1;
    const length = byteLength / size;
    if (offset % size === 0) return new Class(this.buffer.buffer, offset, length);
    // Elements begin at multiples of their size: a copy that does.
    const { Buffer } = require('buffer');
    const copy = Buffer.allocUnsafe(byteLength);
    copy.set(new Uint8Array(this.buffer.buffer, offset, byteLength));
    return new Class(copy.buffer, copy.byteOffset, length);
  }
}

function serialize(value) {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function deserialize(buffer) {
  const deserializer = new DefaultDeserializer(buffer);
  deserializer.readHeader();
  return deserializer.readValue();
}

// ---- Coverage: only a process started with NODE_V8_COVERAGE has any ----

function takeCoverage() {
  require('internal/inspector/coverage').takeCoverage();
}

function stopCoverage() {
  require('internal/inspector/coverage').stopCoverage();
}

// ---- Snapshots of programs ----

function throwNotBuilding() {
  throw new ERR_NOT_BUILDING_SNAPSHOT();
}

const startupSnapshot = {
  addDeserializeCallback(callback, data) {
    throwNotBuilding(callback, data);
  },
  addSerializeCallback(callback, data) {
    throwNotBuilding(callback, data);
  },
  setDeserializeMainFunction(callback, data) {
    throwNotBuilding(callback, data);
  },
  // A number, as in Node.
  isBuildingSnapshot() {
    return 0;
  },
};

module.exports = {
  cachedDataVersionTag,
  getHeapSnapshot,
  getHeapStatistics,
  getHeapSpaceStatistics,
  getHeapCodeStatistics,
  getCppHeapStatistics,
  setFlagsFromString,
  Serializer,
  Deserializer,
  DefaultSerializer,
  DefaultDeserializer,
  deserialize,
  takeCoverage,
  stopCoverage,
  serialize,
  writeHeapSnapshot,
  promiseHooks: require('internal/async/promise_hooks').promiseHooks,
  queryObjects,
  startupSnapshot,
  setHeapSnapshotNearHeapLimit,
  setHeapProfileNearHeapLimit,
  GCProfiler,
  isStringOneByteRepresentation,
  startCpuProfile,
  startHeapProfile,
};
