'use strict';
// Under the name that Node's own files know.

module.exports = {
  // What concerns the process as a whole is the main thread's.
  get ownsProcessState() {
    return require('worker_threads').isMainThread;
  },
};
