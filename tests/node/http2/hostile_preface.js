'use strict';
// No preface, half of one, HTTP/1 to a server of HTTP/2; and a client whose peer speaks something else.
const net = require('net');
const { http2, note, show } = require('./fixtures/pair');

const server = http2.createServer();
server.on('sessionError', (error) => note('server', show(error)));
server.listen(0, '127.0.0.1', () => {
  const send = ([text, ...rest]) => {
    if (text === undefined) {
      server.close(client);
      return;
    }
    const socket = net.connect(server.address().port, '127.0.0.1', () => socket.end(text));
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => {
      note('client', JSON.stringify(text), 'closed');
      send(rest);
    });
  };
  send(['GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'PRI * HTTP/2.0\r\n', 'garbage garbage garbage garbage', '']);
});

function client() {
  const other = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
  other.listen(0, '127.0.0.1', () => {
    const session = http2.connect(`http://127.0.0.1:${other.address().port}`);
    session.on('error', (error) => note('client', 'session', show(error), error.errno));
    session.on('close', () => {
      note('client', 'session closed');
      other.close();
    });
    const request = session.request();
    request.on('error', (error) => note('client', 'stream', error.code));
    request.resume();
  });
}
