// Datagrams that are sent before the socket is bound, and what close() does to those that wait.
const dgram = require('node:dgram');
const receiver = dgram.createSocket('udp4');
const seen = [];
receiver.on('message', (message) => {
  seen.push(`${message}`);
  if (seen.length < 3) return;
  console.log(seen.sort());
  receiver.close(() => console.log('receiver closed'));
});
receiver.bind(0, '127.0.0.1', () => {
  const { port } = receiver.address();
  const sender = dgram.createSocket('udp4');
  let left = 3;
  for (const text of ['one', 'two', 'three']) {
    sender.send(text, port, '127.0.0.1', (error, bytes) => {
      console.log(error, bytes);
      if (--left === 0) sender.close();
    });
  }
  sender.on('listening', () => console.log('bound', sender.address().address));
  sender.on('close', () => {
    console.log('sender closed');
    try {
      sender.send('late', port);
    } catch (error) {
      console.log(error.code);
    }
  });
});
