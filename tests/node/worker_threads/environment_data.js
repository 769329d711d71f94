// setEnvironmentData(): copied to new Workers, and to those that they make.
const { Worker, isMainThread, getEnvironmentData, setEnvironmentData, threadId } = require('node:worker_threads');
if (isMainThread) {
  setEnvironmentData('a', { deep: [1] });
  setEnvironmentData('b', 2);
  setEnvironmentData('b');
  new Worker(__filename);
  setEnvironmentData('a', 'later');
  console.log(getEnvironmentData('a'), getEnvironmentData('b'));
} else {
  console.log(threadId, getEnvironmentData('a'), getEnvironmentData('b'), getEnvironmentData('c'));
  if (threadId === 1) {
    setEnvironmentData('c', 'from the first');
    new Worker(__filename);
  }
}
