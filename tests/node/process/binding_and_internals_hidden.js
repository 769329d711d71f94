console.log(typeof process._tickCallback, typeof process.reallyExit, typeof process.abort, typeof process.dlopen, typeof process.constrainedMemory, typeof process.setSourceMapsEnabled);
try {
  require('internal/util');
} catch (e) {
  console.log(e.code);
}
