// A large message that an unref'd channel still has to write keeps the child running.
const { fork } = require('node:child_process');
if (process.send === undefined) {
  const child = fork(__filename);
  child.on('message', ({ text }) => console.log(text.length));
  child.on('exit', (code) => console.log('exit', code));
} else {
  process.send({ text: 'x'.repeat(5_000_000) });
  process.channel.unref();
}
