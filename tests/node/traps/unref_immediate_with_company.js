// ... but runs when something else does.
setImmediate(() => console.log('unref')).unref();
setImmediate(() => console.log('ref'));
