'use strict';
// Entries of type 'http2' for observers (node:perf_hooks): a session, or a stream, that has ended. What costs something
// is counted only while there are observers.

const { hasObserver, startPerf, stopPerf } = require('internal/perf/observe');
const { performance } = require('perf_hooks');

const kEntry = Symbol('entry');

// ---- Sessions ----

function sessionBegins(session, type) {
  if (!hasObserver('http2')) return;
  startPerf(session, kEntry, { type: 'http2', name: 'Http2Session' });
  session[kEntry].counted = {
    type, pingRTT: 0, streamAverageDuration: 0, streamCount: 0, maxConcurrentStreams: 0,
  };
}

function pingEnds(session, duration) {
  if (session[kEntry] !== undefined) session[kEntry].counted.pingRTT = duration;
}

// Before its handle is gone.
function sessionEnds(session, handle) {
  const entry = session[kEntry];
  if (entry === undefined || !hasObserver('http2')) return;
  const numbers = new Float64Array(4);
  handle.statistics(numbers);
  const [framesReceived, framesSent, bytesRead, bytesWritten] = numbers;
  const detail = { bytesWritten, bytesRead, framesReceived, framesSent, ...entry.counted };
  setImmediate(stopPerf, session, kEntry, { detail });
}

// ---- Streams ----

function streamBegins(stream, session, openStreams) {
  const { counted } = session[kEntry] ?? {};
  if (counted === undefined) return;
  counted.streamCount++;
  counted.maxConcurrentStreams = Math.max(counted.maxConcurrentStreams, openStreams);
  startPerf(stream, kEntry, { type: 'http2', name: 'Http2Stream' });
  stream[kEntry].counted = {
    bytesRead: 0, bytesWritten: 0, timeToFirstByte: 0, timeToFirstByteSent: 0, timeToFirstHeader: 0,
  };
}

// `time` and `size`: which of the counters it is, and by how much.
function note(stream, time, size, bytes) {
  const entry = stream[kEntry];
  if (entry === undefined) return;
  if (entry.counted[time] === 0) entry.counted[time] = performance.now() - entry.startTime;
  if (size !== undefined) entry.counted[size] += bytes;
}

function streamEnds(stream, session, id) {
  const entry = stream[kEntry];
  if (entry === undefined || !hasObserver('http2')) return;
  const { counted } = session[kEntry];
  counted.streamAverageDuration = (performance.now() - entry.startTime) / counted.streamCount;
  setImmediate(stopPerf, stream, kEntry, { detail: { id, ...entry.counted } });
}

module.exports = {
  dataArrives: (stream, bytes) => note(stream, 'timeToFirstByte', 'bytesRead', bytes),
  dataGoes: (stream, bytes) => note(stream, 'timeToFirstByteSent', 'bytesWritten', bytes),
  headArrives: (stream) => note(stream, 'timeToFirstHeader'),
  pingEnds,
  sessionBegins,
  sessionEnds,
  streamBegins,
  streamEnds,
};
