// Of everything a little.
const fs = require('node:fs');
const net = require('node:net');

const server = net.createServer((peer) => {
  peer.on('data', (data) => peer.end(data));
});
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('hello'));
  socket.on('data', (data) => console.log(`back: ${data}`));
  socket.on('close', () => server.close());
});

let rounds = 0;
const interval = setInterval(() => {
  if (++rounds === 3) clearInterval(interval);
}, 2);

(async () => {
  const text = await fs.promises.readFile(__filename, 'utf8');
  console.log(text.split('\n')[0]);
  queueMicrotask(() => process.nextTick(() => setImmediate(() => console.log('done'))));
})();
