'use strict';
// The socket of a session, and of requests: what may be done with it.
const net = require('net');
const { attempt, close, collect, compat, note } = require('./fixtures/pair');

compat({}, (request, response) => {
  const { socket } = request;
  note('server', socket === request.socket, socket instanceof net.Socket, 'remotePort' in socket, 'nothing' in socket);
  note('server', typeof socket.remoteAddress, socket.destroyed, socket.writable, socket.readable, request.connection === socket);
  for (const name of ['write', 'read', 'pause', 'resume']) {
    attempt(() => socket[name]);
    attempt(() => { socket[name] = 1; });
  }
  socket.something = 5;
  note('server', request.stream.session.socket.something);
  const session = request.stream.session.socket;
  for (const name of ['emit', 'end', 'pause', 'read', 'resume', 'write', 'setEncoding', 'setKeepAlive', 'setNoDelay']) {
    attempt(() => session[name]);
  }
  attempt(() => { session.write = 1; });
  note('server', session instanceof net.Socket, typeof session.setTimeout, typeof session.ref, session.remotePort > 0);
  response.end('x', () => {
    note('server', 'ended', response.socket === undefined);
  });
  const { session: of } = request.stream;
  of.on('close', () => {
    note('server', 'socket', of.socket);
    attempt(() => session.remotePort);
  });
}, (client, server) => {
  collect(client.request(), () => close(client, server));
});
