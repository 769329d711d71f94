// A child that dies, and a parent that does not wait.
const { fork } = require('node:child_process');
if (process.send === undefined) {
  const child = fork(__filename);
  child.on('message', () => child.kill('SIGKILL'));
  child.on('disconnect', () => console.log('disconnect', child.connected));
  child.on('exit', (code, signal) => console.log('exit', code, signal, child.killed));
  child.on('close', () => console.log('close'));
} else {
  process.on('message', () => {});
  process.send('ready');
}
