// Domains and process.setUncaughtExceptionCaptureCallback() get along.
process.setUncaughtExceptionCaptureCallback(() => console.log('never'));
const domain = require('domain');
process.setUncaughtExceptionCaptureCallback(null);
process.setUncaughtExceptionCaptureCallback((error) => console.log('captured', error.message));
console.log(process.hasUncaughtExceptionCaptureCallback());
setTimeout(() => {
  console.log(process.hasUncaughtExceptionCaptureCallback());
  const d = domain.create();
  d.on('error', (error) => console.log('domain', error.message));
  d.run(() => setTimeout(() => { throw new Error('in domain'); }, 1));
}, 1);
