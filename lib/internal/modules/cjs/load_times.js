'use strict';
// How long each require() takes: for NODE_DEBUG=module_timer, and for the trace events of node.module_timer.

const { traced } = require('internal/trace/traced');
const { debuglog } = require('internal/util/debuglog');

const log = debuglog('module_timer');
let writeEvent; // (phase, name), while the events are on

function timeRequire(request, parent, load) {
  const name = `require('${request}')`;
  const isWritten = writeEvent !== undefined;
  if (isWritten) writeEvent('b', name);
  const begin = performance.now();
  try {
    return load();
  } finally {
    const duration = performance.now() - begin;
    if (isWritten && writeEvent !== undefined) writeEvent('e', name);
    if (log.enabled) {
      const { formatDuration } = require('internal/console/duration');
      const times = `[${parent?.id || ''}] [${request}]: ${formatDuration(duration)}`;
      process.stderr.write(`MODULE_TIMER ${process.pid} ${times}\n`);
    }
  }
}

function update() {
  traced.require = writeEvent !== undefined || log.enabled ? timeRequire : undefined;
}

module.exports = {
  start: update,
  setWriter(writer) {
    writeEvent = writer;
    update();
  },
};
