'use strict';
// The properties of an entry of a resource, with a response and without.
const { PerformanceResourceTiming, constants, performance } = require('node:perf_hooks');

const info = { startTime: 1, endTime: 9, finalServiceWorkerStartTime: 2, redirectStartTime: 3, redirectEndTime: 4, postRedirectStartTime: 5, finalNetworkRequestStartTime: 6,
  finalNetworkResponseStartTime: 7, encodedBodySize: 100, decodedBodySize: 200,
  finalConnectionTimingInfo: { domainLookupStartTime: 1, domainLookupEndTime: 2, connectionStartTime: 3, connectionEndTime: 4, secureConnectionStartTime: 5, ALPNNegotiatedProtocol: 'h2' } };
const entries = [
  performance.markResourceTiming(info, 'http://h/', 'fetch', globalThis, ''),
  performance.markResourceTiming({ ...info, firstInterimNetworkResponseStartTime: 6.5, renderBlocking: true }, 'http://h/', 'fetch', globalThis, 'local',
    { contentType: 'text/html', contentEncoding: 'gzip' }, 404, 'cache'),
];
for (const entry of entries) console.log(entry, entry.toJSON(), Object.keys(entry.toJSON()).every((name) => Object.is(entry[name], entry.toJSON()[name])));
console.log(Reflect.ownKeys(PerformanceResourceTiming.prototype), Object.keys(PerformanceResourceTiming.prototype), performance.markResourceTiming.length);
try {
  Object.getOwnPropertyDescriptor(PerformanceResourceTiming.prototype, 'deliveryType').get.call({});
} catch (error) {
  console.log(error.code, error.message);
}
console.log(Object.entries(Object.getOwnPropertyDescriptors(constants)).map(([name, { value, enumerable }]) => `${name} ${value} ${enumerable}`));
const { get } = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'onabort');
for (const read of [() => Performance.prototype.now.call({}), () => PerformanceEntry.prototype.toJSON.call(null), () => get.call({}), () => get.call(1)]) {
  try {
    read();
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
