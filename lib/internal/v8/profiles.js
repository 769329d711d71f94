'use strict';
// The options of profiles, and the handles that end them: of this thread, and of a Worker.

const { SamplingFlags } = require('internal/native/enums');
const { codes: { ERR_CPU_PROFILE_TOO_MANY, ERR_HEAP_PROFILE_HAVE_BEEN_STARTED } } = require('internal/errors');
const {
  validateBoolean, validateInt32, validateInteger, validateNumber, validateObject,
} = require('internal/validators');

const kUsPerMs = 1000;
const kMostIntervalMs = (2 ** 31 - 1) / kUsPerMs;
const kMostSamples = 2 ** 32 - 1;
const { forceGC: kForceGC, includeMajorGC: kIncludeMajorGC, includeMinorGC: kIncludeMinorGC } = SamplingFlags;

// [microseconds, samples]
function readCpuOptions(options = {}) {
  validateObject(options, 'options');
  const { sampleInterval, maxBufferSize } = options;
  let interval = 0;
  if (sampleInterval !== undefined) {
    validateNumber(sampleInterval, 'options.sampleInterval', 0, kMostIntervalMs);
    interval = Math.floor(sampleInterval * kUsPerMs);
    if (sampleInterval > 0 && interval === 0) interval = 1;
  }
  if (maxBufferSize === undefined) return [interval, kMostSamples];
  validateNumber(maxBufferSize, 'options.maxBufferSize', 1, kMostSamples);
  return [interval, Math.floor(maxBufferSize)];
}

// [bytes, frames, flags]
function readHeapOptions(options = {}) {
  validateObject(options, 'options');
  const {
    sampleInterval = 512 * 1024, stackDepth = 16, forceGC = false, includeObjectsCollectedByMajorGC = false,
    includeObjectsCollectedByMinorGC = false,
  } = options;
  validateInteger(sampleInterval, 'options.sampleInterval', 1);
  validateInt32(stackDepth, 'options.stackDepth', 0);
  validateBoolean(forceGC, 'options.forceGC');
  validateBoolean(includeObjectsCollectedByMajorGC, 'options.includeObjectsCollectedByMajorGC');
  validateBoolean(includeObjectsCollectedByMinorGC, 'options.includeObjectsCollectedByMinorGC');
  const flags = (forceGC ? kForceGC : 0) | (includeObjectsCollectedByMajorGC ? kIncludeMajorGC : 0) |
    (includeObjectsCollectedByMinorGC ? kIncludeMinorGC : 0);
  return [sampleInterval, stackDepth, flags];
}

// ---- Of this thread ----

class SyncProfileHandle {
  #end;

  constructor(end) {
    this.#end = end;
  }

  stop() {
    const end = this.#end;
    this.#end = undefined;
    return end?.();
  }

  [Symbol.dispose]() {
    this.stop();
  }
}

class SyncCPUProfileHandle extends SyncProfileHandle {}
class SyncHeapProfileHandle extends SyncProfileHandle {}

function startCpuProfile(options) {
  const native = binding('v8');
  const id = native.startCpuProfile(...readCpuOptions(options));
  if (id === undefined) throw new ERR_CPU_PROFILE_TOO_MANY();
  return new SyncCPUProfileHandle(() => native.stopCpuProfile(id));
}

function startHeapProfile(options) {
  const native = binding('v8');
  if (!native.startHeapProfile(...readHeapOptions(options))) throw new ERR_HEAP_PROFILE_HAVE_BEEN_STARTED();
  return new SyncHeapProfileHandle(() => native.stopHeapProfile());
}

// ---- Of a Worker ----

class WorkerProfileHandle {
  #end;
  #text;

  constructor(end) {
    this.#end = end;
  }

  stop() {
    return this.#text ??= this.#end();
  }

  async [Symbol.asyncDispose]() {
    await this.stop();
  }
}

class CPUProfileHandle extends WorkerProfileHandle {}
class HeapProfileHandle extends WorkerProfileHandle {}

module.exports = { CPUProfileHandle, HeapProfileHandle, readCpuOptions, readHeapOptions, startCpuProfile, startHeapProfile };
