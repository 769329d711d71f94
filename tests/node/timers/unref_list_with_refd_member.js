setTimeout(() => console.log('unref, runs'), 10).unref();
setTimeout(() => console.log('ref'), 10);
// TIMERS-5
