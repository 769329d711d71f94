'use strict';
// A datagram and its answer, on both families.
const dgram = require('dgram');

function echo(type, host, then) {
  const server = dgram.createSocket(type, (message, about) => {
    console.log(type, 'server', message.toString(), about.address, about.family, about.size, Object.keys(about));
    server.send(`${message}!`, about.port, about.address);
  });
  const client = dgram.createSocket({ type });
  client.on('message', (message, { port }) => {
    console.log(type, 'client', String(message), port === server.address().port);
    client.close();
    server.close(then);
  });
  server.bind(0, host, () => client.send('hello', server.address().port, host));
}

echo('udp4', '127.0.0.1', () => echo('udp6', '::1'));
