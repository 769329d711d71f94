// Packages that mock connections (msw, nock) replace connect() of the handle, keep the request, and complete it themselves.
'use strict';
const net = require('node:net');
const tls = require('node:tls');

function mock(socket, name, family) {
  socket.on('connectionAttempt', () => {
    const handle = socket._handle;
    handle.readStart = () => 0;
    handle[family === 6 ? 'connect6' : 'connect'] = (request, address, port) => {
      console.log(name, 'connects to', address, port, request.address, request.port);
      setImmediate(() => {
        console.log(name, 'completes', typeof request.oncomplete);
        request.oncomplete(0, handle, request, true, true);
      });
      return 0;
    };
  });
  socket.on('connect', () => {
    console.log(name, 'connected', socket.connecting, socket.pending);
    socket.destroy();
  });
  socket.on('close', () => console.log(name, 'closed'));
}

mock(net.connect(80, '192.0.2.1'), 'IPv4');
mock(net.connect(80, '2001:db8::1'), 'IPv6', 6);
const failing = net.connect(80, '192.0.2.2');
failing.on('connectionAttempt', () => {
  failing._handle.connect = (request) => {
    setTimeout(() => request.oncomplete(-111, failing._handle, request, true, true), 20);
    return 0;
  };
});
failing.on('error', ({ message, code }) => console.log('failing', code, message));

setTimeout(() => mock(tls.connect(443, '192.0.2.1'), 'TLS'), 100);
