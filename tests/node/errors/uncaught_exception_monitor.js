process.on('uncaughtExceptionMonitor', (e, origin) => console.log('monitor', e.message, origin));
process.on('exit', (code) => console.log('exit', code));
throw new Error('still fatal');
