// A server is given to a child, which accepts from then on.
const { fork } = require('node:child_process');
const net = require('node:net');
if (process.send === undefined) {
  const child = fork(__filename);
  const server = net.createServer();
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    child.send({ port }, server);
    child.on('message', () => {
      server.close();
      const client = net.connect(port, '127.0.0.1');
      client.setEncoding('utf8');
      client.on('data', (text) => console.log('client has', text));
      client.on('close', () => child.send('close'));
    });
  });
  child.on('exit', (code) => console.log('exit', code));
} else {
  let listening;
  process.on('message', (message, server) => {
    if (message === 'close') {
      listening.close();
      process.disconnect();
      return;
    }
    listening = server;
    server.on('connection', (socket) => socket.end(`hello ${server.address().port === message.port}`));
    process.send('ready');
  });
}
