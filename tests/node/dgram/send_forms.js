'use strict';
// Every form of send(), with and without a connection.
const dgram = require('dgram');
const server = dgram.createSocket('udp4');
const client = dgram.createSocket('udp4');
const bytes = Buffer.from('0123456789');
let step = 0;

const report = (name) => (error, size) => console.log(name, error, size);
const forms = [
  (port) => client.send('text', port, '127.0.0.1', report('string')),
  (port) => client.send(bytes, port, '127.0.0.1', report('buffer')),
  (port) => client.send(bytes, 2, 3, port, '127.0.0.1', report('offset')),
  (port) => client.send(bytes, 2, 3, port, report('no address')),
  (port) => client.send(bytes, 9, 1, port),
  (port) => client.send(bytes, port, report('port')),
  (port) => client.send(['a', Buffer.from('bc'), new Uint8Array([100])], port, report('list')),
  (port) => client.send([], port, report('empty list')),
  (port) => client.send('', port, report('empty')),
  (port) => client.send(new DataView(bytes.buffer, bytes.byteOffset, 4), port, report('view')),
  (port) => client.send(new Uint16Array([0x4141, 0x4242]), port, report('uint16')),
  (port) => client.sendto(bytes, 0, 4, port, '127.0.0.1', report('sendto')),
  (port) => client.connect(port, '127.0.0.1', () => client.send('connected', report('connected'))),
  () => client.send(bytes, 1, 2, report('connected offset')),
  () => client.send(['x', 'y'], report('connected list')),
  () => client.send(bytes),
];

server.on('message', (message, { size }) => {
  console.log(step, JSON.stringify(message.toString()), size);
  if (++step === forms.length) {
    server.close();
    client.close();
    return;
  }
  setImmediate(() => forms[step](server.address().port));
});
server.bind(0, '127.0.0.1', () => forms[0](server.address().port));
