'use strict';
// PerformanceResourceTiming: what fetch() tells of a request.

const { codes } = require('internal/errors');
const { bufferResource, enqueue } = require('internal/perf/observe');
const { PerformanceEntry } = require('internal/perf/performance_entry');
const {
  kSkipThrow,
  makeEnumerable,
  refuse,
  setToStringTag,
  validateThis,
} = require('internal/perf/utils');

const kTimingInfo = Symbol('kTimingInfo');
const kUrl = Symbol('kRequestedUrl');
const kInitiatorType = Symbol('kInitiatorType');
const kCacheMode = Symbol('kCacheMode');
const kHeadersSize = 300; // what the standard adds for the headers

class PerformanceResourceTiming extends PerformanceEntry {
  constructor(token = undefined, name = undefined, type = undefined) {
    refuse(token);
    super(token, name, type);
  }

  get name() {
    return timingOf(this, kUrl);
  }

  get startTime() {
    return timingOf(this, kTimingInfo).startTime;
  }

  get duration() {
    const { startTime, endTime } = timingOf(this, kTimingInfo);
    return endTime - startTime;
  }

  get initiatorType() {
    return timingOf(this, kInitiatorType);
  }

  get transferSize() {
    validateThis(this, kTimingInfo, 'PerformanceResourceTiming');
    if (this[kCacheMode] === 'local') return 0;
    if (this[kCacheMode] === 'validated') return kHeadersSize;
    return this[kTimingInfo].encodedBodySize + kHeadersSize;
  }

  toJSON() {
    validateThis(this, kTimingInfo, 'PerformanceResourceTiming');
    return Object.fromEntries(shown.map((name) => [name, this[name]]));
  }
}

function timingOf(entry, field) {
  validateThis(entry, field, 'PerformanceResourceTiming');
  return entry[field];
}

// Name of the property, and where it is found.
const fields = {
  workerStart: (info) => info.finalServiceWorkerStartTime,
  redirectStart: (info) => info.redirectStartTime,
  redirectEnd: (info) => info.redirectEndTime,
  fetchStart: (info) => info.postRedirectStartTime,
  domainLookupStart: (info) => info.finalConnectionTimingInfo?.domainLookupStartTime,
  domainLookupEnd: (info) => info.finalConnectionTimingInfo?.domainLookupEndTime,
  connectStart: (info) => info.finalConnectionTimingInfo?.connectionStartTime,
  connectEnd: (info) => info.finalConnectionTimingInfo?.connectionEndTime,
  secureConnectionStart: (info) => info.finalConnectionTimingInfo?.secureConnectionStartTime,
  nextHopProtocol: (info) => info.finalConnectionTimingInfo?.ALPNNegotiatedProtocol,
  requestStart: (info) => info.finalNetworkRequestStartTime,
  responseStart: (info) => info.finalNetworkResponseStartTime,
  responseEnd: (info) => info.endTime,
  encodedBodySize: (info) => info.encodedBodySize,
  decodedBodySize: (info) => info.decodedBodySize,
};
for (const name of Object.keys(fields)) {
  const accessor = Object.getOwnPropertyDescriptor({
    get [name]() {
      return fields[name](timingOf(this, kTimingInfo));
    },
  }, name);
  Object.defineProperty(PerformanceResourceTiming.prototype, name, accessor);
}

const shown = ['name', 'entryType', 'startTime', 'duration', 'initiatorType', 'nextHopProtocol',
  'workerStart', 'redirectStart', 'redirectEnd', 'fetchStart', 'domainLookupStart',
  'domainLookupEnd', 'connectStart', 'connectEnd', 'secureConnectionStart', 'requestStart',
  'responseStart', 'responseEnd', 'transferSize', 'encodedBodySize', 'decodedBodySize'];

makeEnumerable(PerformanceResourceTiming.prototype,
  [...Object.keys(fields), 'initiatorType', 'transferSize', 'toJSON']);
setToStringTag(PerformanceResourceTiming.prototype, 'PerformanceResourceTiming');

function assertInternally(condition, message) {
  if (!condition) throw new codes.ERR_INTERNAL_ASSERTION(message);
}

function markResourceTiming(timingInfo, requestedUrl, initiatorType, global, cacheMode) {
  assertInternally(cacheMode === '' || cacheMode === 'local',
    "cache must be an empty string or 'local'");
  const entry = new PerformanceResourceTiming(kSkipThrow, requestedUrl, 'resource');
  entry[kInitiatorType] = initiatorType;
  entry[kUrl] = requestedUrl;
  entry[kTimingInfo] = timingInfo;
  entry[kCacheMode] = cacheMode;
  enqueue(entry);
  bufferResource(entry);
  return entry;
}

module.exports = { PerformanceResourceTiming, markResourceTiming };
