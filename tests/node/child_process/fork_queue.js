// Many messages, large and small, arrive whole and in order; those without a listener wait for one.
const { fork } = require('node:child_process');
if (process.send === undefined) {
  const child = fork(__filename);
  for (let i = 0; i < 200; i++) child.send({ i, text: 'x'.repeat(i * 37) });
  child.send('end');
  child.on('message', (message) => console.log(message));
  child.on('exit', (code) => console.log('exit', code));
} else {
  setTimeout(() => {
    let next = 0;
    let isInOrder = true;
    process.on('message', (message) => {
      if (message === 'end') {
        process.send({ next, isInOrder });
        process.disconnect();
        return;
      }
      isInOrder &&= message.i === next && message.text.length === next * 37;
      next++;
    });
  }, 20);
}
