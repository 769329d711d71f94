console.log(process.hasUncaughtExceptionCaptureCallback());
process.setUncaughtExceptionCaptureCallback((e) => console.log('captured', e.message));
console.log(process.hasUncaughtExceptionCaptureCallback());
process.on('uncaughtException', () => console.log('never'));
setTimeout(() => console.log('goes on'), 1);
throw new Error('x');
