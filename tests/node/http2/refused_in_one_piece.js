'use strict';
// A stream that the program gives up hears nothing of what came in the same piece of the connection: no data, no trailers.
const http2 = require('node:http2');
const net = require('node:net');
const { frame, get } = require('./fixtures/raw');

const trailer = Buffer.concat([Buffer.from([0, 1]), Buffer.from('x'), Buffer.from([1]), Buffer.from('y')]);
const server = http2.createServer();
server.on('stream', (stream) => {
  console.log('stream', stream.id);
  stream.on('data', (data) => console.log('data', data.length));
  stream.on('trailers', (headers) => console.log('trailers', headers));
  stream.on('end', () => console.log('end'));
  stream.on('aborted', () => console.log('aborted'));
  stream.on('error', (error) => console.log(error.code, error.message));
  stream.on('close', () => {
    console.log('close', stream.rstCode);
    if (stream.id === 3) {
      socket.destroy();
      server.close();
    }
  });
  stream.close(stream.id === 1 ? http2.constants.NGHTTP2_REFUSED_STREAM : http2.constants.NGHTTP2_CANCEL);
});

let socket;
server.listen(0, () => {
  socket = net.connect(server.address().port);
  socket.on('error', () => {});
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame('SETTINGS', 0, 0),
    ...[1, 3].flatMap((id) => [frame('HEADERS', 4, id, get), frame('DATA', 0, id, Buffer.alloc(100)), frame('HEADERS', 5, id, trailer)])]));
});
