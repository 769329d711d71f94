'use strict';
const results = { first: false, second: false };
process.addUncaughtExceptionCaptureCallback((error) => {
  console.log('first', error);
  return results.first;
});
process.addUncaughtExceptionCaptureCallback((error) => {
  console.log('second', error);
  return results.second;
});
process.on('uncaughtException', (error) => console.log('event', error));
console.log(process.hasUncaughtExceptionCaptureCallback());
try {
  process.addUncaughtExceptionCaptureCallback(null);
} catch (error) {
  console.log(error.code, error.message);
}
setImmediate(() => {
  setImmediate(() => {
    results.first = true;
    setImmediate(() => {
      results.second = true;
      setImmediate(() => {
        process.setUncaughtExceptionCaptureCallback((error) => console.log('only', error));
        throw 4;
      });
      throw 3;
    });
    throw 2;
  });
  throw 1;
});
