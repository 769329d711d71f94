// fork(): messages in both directions, disconnect(), exit.
const { fork } = require('node:child_process');
if (process.send === undefined) {
  const child = fork(__filename, ['x', 'y']);
  console.log(child.connected, typeof child.channel, child.stdin, child.stdio.length, child.stdio[3]);
  child.on('message', (message) => {
    console.log('parent has', message);
    if (message === 'bye') child.disconnect();
  });
  child.on('disconnect', () => console.log('disconnect', child.connected, child.channel));
  child.on('exit', (code, signal) => console.log('exit', code, signal));
  child.on('close', (code) => console.log('close', code));
  child.send({ hello: [1, null, 'text'], undef: undefined });
  child.send('text');
  child.send(5, (error) => console.log('sent', error));
} else {
  process.send({ argv: process.argv.slice(2), env: ['NODE_CHANNEL_FD' in process.env, process.connected] });
  process.on('message', (message) => {
    process.send(message);
    if (message === 5) process.send('bye');
  });
  process.on('disconnect', () => { process.exitCode = 4; });
}
