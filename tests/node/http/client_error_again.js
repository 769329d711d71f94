'use strict';
// 'clientError' is emitted for everything that arrives after bytes that were no HTTP, while the socket is open.
const http = require('node:http');
const net = require('node:net');

let told = 0;
const server = http.createServer(() => console.log('never a request'));
server.on('clientError', (error, socket) => {
  console.log(error.code, error.bytesParsed, JSON.stringify(String(error.rawPacket)), socket.listenerCount('error'));
  if (++told === 3) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  else client.write(`more ${told}`);
});

let client;
server.listen(0, () => {
  client = net.connect(server.address().port);
  client.on('data', (data) => console.log(`${data}`));
  client.on('close', () => server.close());
  client.write('GET * * *');
});
