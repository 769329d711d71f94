'use strict';
// Sessions are resumed, by tickets and by ids that the server keeps.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

function twice(title, serverOptions, prepare, next) {
  const server = pair(serverOptions, (socket) => socket.end('x'), (options) => {
    prepare(server);
    let session;
    const first = tls.connect(options);
    first.on('session', (made) => { session = made; });
    first.resume();
    first.on('close', () => {
      note('client', title, 'first', first.isSessionReused(), Buffer.isBuffer(session));
      const second = tls.connect({ ...options, session }, () => {
        note('client', title, 'second', second.isSessionReused(), second.authorized);
      });
      second.resume();
      second.on('close', () => server.close(next));
    });
  });
}

twice('TLSv1.3', {}, () => {}, () => {
  twice('TLSv1.2', { maxVersion: 'TLSv1.2' }, () => {}, () => {
    const sessions = new Map();
    const { SSL_OP_NO_TICKET } = require('constants');
    twice('ids', { maxVersion: 'TLSv1.2', secureOptions: SSL_OP_NO_TICKET }, (server) => {
      server.on('newSession', (id, data, callback) => {
        note('server', 'newSession', id.length);
        sessions.set(id.toString('hex'), data);
        setImmediate(callback);
      });
      server.on('resumeSession', (id, callback) => {
        note('server', 'resumeSession', sessions.has(id.toString('hex')));
        setImmediate(callback, null, sessions.get(id.toString('hex')));
      });
    }, () => {});
  });
});
