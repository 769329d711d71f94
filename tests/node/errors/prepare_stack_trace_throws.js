Error.prepareStackTrace = () => { throw new Error('from prepareStackTrace'); };
try {
  console.log(new Error('x').stack);
} catch (e) {
  console.log('caught');
}
