'use strict';
// The profilers, precise coverage and the debugger, through a session with promises.

const { Session } = require('inspector/promises');

function busy(end) {
  while (Date.now() < end);
}

(async () => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  (function called() {})();
  function neverCalled() {}
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const { functions, url } = result.find((script) => script.url.endsWith('/profiler.js'));
  console.log(url.startsWith('file://'));
  for (const { functionName, ranges } of functions.filter((f) => /alled/.test(f.functionName))) {
    console.log(functionName, ranges.map(({ count }) => count));
  }
  await session.post('Profiler.stopPreciseCoverage');

  await session.post('Profiler.start');
  busy(Date.now() + 50);
  const { profile } = await session.post('Profiler.stop');
  console.log(Object.keys(profile), profile.nodes.some(({ callFrame }) => callFrame.functionName === 'busy'));

  let bytes = 0;
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ params }) => { bytes += params.chunk.length; });
  await session.post('HeapProfiler.takeHeapSnapshot');
  console.log(bytes > 100000);

  const pauses = [];
  session.on('Debugger.paused', ({ params: { reason, callFrames } }) => pauses.push([reason, callFrames[0].functionName]));
  session.on('Debugger.resumed', () => pauses.push('resumed'));
  await session.post('Debugger.enable');
  (function pausing() { debugger; })();
  console.log(pauses);
  await session.post('Nothing.known').catch((error) => console.log(error.code));
  session.disconnect();
  await session.post('Runtime.enable').catch((error) => console.log(error.code));
})();
