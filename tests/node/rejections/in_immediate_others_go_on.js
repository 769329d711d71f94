process.on('unhandledRejection', (r) => console.log('unhandled', r));
setImmediate(() => { Promise.reject(1); });
setImmediate(() => console.log('second immediate'));
