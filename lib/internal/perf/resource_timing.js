'use strict';
// PerformanceResourceTiming: the timing of a request of fetch().

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
const kBodyInfo = Symbol('kBodyInfo');
const kResponseStatus = Symbol('kResponseStatus');
const kDeliveryType = Symbol('kDeliveryType');
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
}

function timingOf(entry, field) {
  validateThis(entry, field, 'PerformanceResourceTiming');
  return entry[field];
}

function transferSize(info, entry) {
  if (entry[kCacheMode] === 'local') return 0;
  if (entry[kCacheMode] === 'validated') return kHeadersSize;
  return info.encodedBodySize + kHeadersSize;
}

// Name of the property, and where it is found.
const fields = {
  initiatorType: (info, entry) => entry[kInitiatorType],
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
  finalResponseHeadersStart: (info) => info.finalNetworkResponseStartTime,
  firstInterimResponseStart: (info) => info.firstInterimNetworkResponseStartTime ?? 0,
  responseStart: (info) => info.firstInterimNetworkResponseStartTime || info.finalNetworkResponseStartTime,
  responseEnd: (info) => info.endTime,
  encodedBodySize: (info) => info.encodedBodySize,
  decodedBodySize: (info) => info.decodedBodySize,
  transferSize,
  deliveryType: (info, entry) => entry[kDeliveryType],
  responseStatus: (info, entry) => entry[kResponseStatus],
  renderBlockingStatus: (info) => (info.renderBlocking === true ? 'blocking' : 'non-blocking'),
  contentType: (info, entry) => entry[kBodyInfo]?.contentType ?? '',
  contentEncoding: (info, entry) => entry[kBodyInfo]?.contentEncoding ?? '',
};
for (const name of Object.keys(fields)) {
  const accessor = Object.getOwnPropertyDescriptor({
    get [name]() {
      return fields[name](timingOf(this, kTimingInfo), this);
    },
  }, name);
  Object.defineProperty(PerformanceResourceTiming.prototype, name, accessor);
}

const shown = ['name', 'entryType', 'startTime', 'duration', 'initiatorType', 'nextHopProtocol',
  'workerStart', 'redirectStart', 'redirectEnd', 'fetchStart', 'domainLookupStart',
  'domainLookupEnd', 'connectStart', 'connectEnd', 'secureConnectionStart', 'requestStart',
  'finalResponseHeadersStart', 'firstInterimResponseStart', 'responseStart', 'responseEnd',
  'transferSize', 'encodedBodySize', 'decodedBodySize', 'deliveryType', 'responseStatus',
  'renderBlockingStatus', 'contentType', 'contentEncoding'];

Object.defineProperty(PerformanceResourceTiming.prototype, 'toJSON', Object.getOwnPropertyDescriptor({
  toJSON() {
    validateThis(this, kTimingInfo, 'PerformanceResourceTiming');
    return Object.fromEntries(shown.map((name) => [name, this[name]]));
  },
}, 'toJSON'));

makeEnumerable(PerformanceResourceTiming.prototype, [...Object.keys(fields), 'toJSON']);
setToStringTag(PerformanceResourceTiming.prototype, 'PerformanceResourceTiming');

function assertInternally(condition, message) {
  if (!condition) throw new codes.ERR_INTERNAL_ASSERTION(message);
}

function markResourceTiming(timingInfo, requestedUrl, initiatorType, global, cacheMode, bodyInfo, responseStatus,
  deliveryType = '') {
  assertInternally(cacheMode === '' || cacheMode === 'local',
    "cache must be an empty string or 'local'");
  const entry = new PerformanceResourceTiming(kSkipThrow, requestedUrl, 'resource');
  entry[kInitiatorType] = initiatorType;
  entry[kUrl] = requestedUrl;
  entry[kTimingInfo] = timingInfo;
  entry[kCacheMode] = cacheMode;
  entry[kBodyInfo] = bodyInfo;
  entry[kResponseStatus] = responseStatus;
  entry[kDeliveryType] = deliveryType;
  enqueue(entry);
  bufferResource(entry);
  return entry;
}

module.exports = { PerformanceResourceTiming, markResourceTiming };
