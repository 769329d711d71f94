// Error.prepareStackTrace throws whenever a stack is read: also when the error is reported.
Error.prepareStackTrace = () => { throw 5; };
try {
  void new Error('read').stack;
} catch (error) {
  console.log('reading threw', error);
}
try {
  require('./fixtures/not_there_at_all.js');
} catch {
  console.log('caught without reading');
}
throw new Error('reported');
