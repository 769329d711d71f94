// Messages whose cmd begins with NODE_ are not 'message' events.
const { fork } = require('node:child_process');
if (process.send === undefined) {
  const child = fork(__filename);
  child.on('message', (message) => console.log('message', message));
  child.on('internalMessage', (message) => console.log('internal', message));
  child.on('exit', (code) => console.log('exit', code));
} else {
  process.send({ cmd: 'NODE_THING', x: 1 });
  process.send({ cmd: 'NODE_' });
  process.send({ cmd: 5 });
  process.send({ cmd: 'OTHER' });
}
