'use strict';
// TLS 1.2 can negotiate anew; not without limit, and not at all if the server says so.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

function attempt(title, onSocket, times, next) {
  const server = pair({ maxVersion: 'TLSv1.2' }, (socket) => {
    socket.on('error', (error) => {
      note('server', title, error.code);
      socket.destroy();
    });
    socket.resume();
    onSocket(socket);
  }, (options) => {
    const socket = tls.connect(options, again);
    let count = 0;
    function again() {
      if (count++ === times) {
        socket.end();
        return;
      }
      socket.renegotiate({}, (error) => {
        note('client', title, 'done', count, error);
        again();
      });
    }
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => server.close(next));
  });
}
attempt('twice', () => {}, 2, () => {
  attempt('disabled', (socket) => socket.disableRenegotiation(), 1, () => {
    attempt('attack', () => {}, 10, () => {
      const server = pair({}, (socket) => socket.resume(), (options) => {
        const socket = tls.connect(options, () => {
          note('client', 'TLSv1.3', socket.renegotiate({}, (error) => {
            note('client', error.code);
            socket.end();
          }));
        });
        socket.resume();
        socket.on('close', () => server.close());
      });
    });
  });
});
