// An unref'd immediate does not keep the loop alive.
setImmediate(() => console.log('never')).unref();
process.on('exit', () => console.log('exit'));
