// The channels of node:net: sockets of both sides, and servers that begin to listen or fail to.
const dc = require('diagnostics_channel');
const net = require('net');

dc.subscribe('net.client.socket', ({ socket }) => console.log('client', socket instanceof net.Socket, socket.connecting));
dc.subscribe('net.server.socket', ({ socket }) => console.log('server', socket instanceof net.Socket));
dc.tracingChannel('net.server.listen').subscribe({
  asyncStart: ({ server, options }) => console.log('asyncStart', server instanceof net.Server, typeof options.port, options.custom),
  asyncEnd: (message) => console.log('asyncEnd', Object.keys(message), message.server.listening),
  error: ({ error }) => console.log('error', error.code, error.syscall),
});
const server = net.createServer((socket) => {
  console.log('connection');
  socket.end();
});
server.listen({ port: 0, host: '127.0.0.1', custom: 'x' }, () => {
  const { port } = server.address();
  net.connect(port, '127.0.0.1').on('close', () => {
    net.createServer().on('error', () => server.close()).listen({ port, host: '127.0.0.1' });
  }).resume();
});
