process.on('uncaughtExceptionMonitor', (e) => console.log('monitor', e.message));
process.on('uncaughtException', (e) => console.log('handler', e.message));
Promise.reject(new Error('rejected'));
throw new Error('thrown');
