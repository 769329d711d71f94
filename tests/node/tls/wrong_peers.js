'use strict';
// What is not TLS, stops half-way, or goes away.
const net = require('net');
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

function attempt(title, send, next) {
  const server = pair({}, () => note('server', title, 'secureConnection'), ({ port }) => {
    const socket = net.connect(port, '127.0.0.1', () => send(socket));
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => server.close(next));
  });
  server.on('tlsClientError', (error, socket) => {
    note('server', title, error.code, error.reason, socket instanceof tls.TLSSocket);
    socket.destroy();
  });
}

attempt('plain HTTP', (socket) => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), () => {
  attempt('garbage', (socket) => socket.write(Buffer.alloc(64, 0xff)), () => {
    attempt('nothing', (socket) => socket.end(), () => {
      attempt('half a record', (socket) => socket.end(Buffer.from('160301020001', 'hex')), () => {
        attempt('too long a record', (socket) => socket.write(Buffer.from('160301ffff0100', 'hex')), () => {
          attempt('reset', (socket) => socket.resetAndDestroy(), clients);
        });
      });
    });
  });
});

// The other way round.
function clients() {
  const answer = (title, send, next) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => send(socket));
    });
    server.listen(0, '127.0.0.1', () => {
      const socket = tls.connect(server.address().port, '127.0.0.1');
      socket.on('error', (error) => note('client', title, error.code, error.reason));
      socket.on('close', (hadError) => {
        note('client', title, 'close', hadError);
        server.close(next);
      });
    });
  };
  answer('plain', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), () => {
    answer('end', (socket) => socket.end(), () => {
      answer('alert', (socket) => socket.end(Buffer.from('15030300020228', 'hex')), () => {});
    });
  });
}
