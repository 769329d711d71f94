'use strict';
// Entries of type 'http2'.
const { PerformanceObserver } = require('perf_hooks');
const { close, collect, note, pair } = require('./fixtures/pair');

const seen = new Map();
const observer = new PerformanceObserver((list) => {
  for (const { name, entryType, detail, duration } of list.getEntries()) {
    const key = name === 'Http2Session' ? `${name} ${detail.type}` : name;
    const words = [entryType, typeof duration, Object.keys(detail).sort().join()];
    if (name === 'Http2Session') words.push(detail.streamCount, detail.maxConcurrentStreams);
    seen.set(key, words.join(' '));
  }
  if (seen.size === 3) {
    observer.disconnect();
    for (const key of [...seen.keys()].sort()) note('all', key, seen.get(key));
  }
});
observer.observe({ type: 'http2' });
pair({}, (stream) => {
  stream.respond();
  stream.end('body');
}, (client, server) => {
  collect(client.request(), () => close(client, server));
});
