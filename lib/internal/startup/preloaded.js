'use strict';
// Modules that are part of the start-up snapshot: what most programs load, and what starts them.

module.exports = [
  'internal/process/execution',
  'internal/process/task_queues',
  'internal/timers',
  'internal/console/global',
  'internal/fs/sync_write_stream',
  'internal/native/guess_handle_type',
  'internal/startup/main',
  'internal/util/inspect',
  'internal/modules/run_main',
  'internal/process/stdio',
  'buffer',
  'console',
  'events',
  'fs',
  'module',
  'path',
  'stream',
  'timers',
  'url',
  'util',
];
