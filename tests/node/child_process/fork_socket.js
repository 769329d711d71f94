// A socket is given to a child.
const { fork } = require('node:child_process');
const net = require('node:net');
if (process.send === undefined) {
  const child = fork(__filename);
  const server = net.createServer({ pauseOnConnect: true }, (socket) => {
    child.send('socket', socket, (error) => console.log('sent', error));
  });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1', () => client.write('ping'));
    client.setEncoding('utf8');
    client.on('data', (text) => console.log('client has', text));
    client.on('end', () => console.log('client end'));
    client.on('close', () => {
      child.disconnect();
      server.close(() => console.log('server closed'));
    });
  });
  child.on('exit', (code) => console.log('exit', code));
} else {
  process.on('message', (message, socket) => {
    socket.setEncoding('utf8');
    socket.on('data', (text) => socket.end(`${message} ${text} from the child`));
    socket.resume();
  });
}
