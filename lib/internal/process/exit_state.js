'use strict';
// Whether the program is exiting: from then on nothing is deferred any more.

// `writeProfiles` is there if --cpu-prof or --heap-prof are, `flushHooks` if hooks of module.register() are.
module.exports = { exitState: { isExiting: false, writeProfiles: undefined, flushHooks: undefined } };
