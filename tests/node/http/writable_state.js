'use strict';
// What a response says of itself while it is written.
const http = require('node:http');

const show = (when, { writableEnded, writableFinished, headersSent, finished, writableLength, destroyed, closed }) =>
  console.log(when, { writableEnded, writableFinished, headersSent, finished, writableLength, destroyed, closed });
const server = http.createServer((request, response) => {
  show('begin', response);
  response.write('abc');
  show('written', response);
  response.end('def', () => show('callback', response));
  show('ended', response);
  response.on('finish', () => show('finish', response));
  response.on('close', () => show('close', response));
  response.end();
  response.end((error) => console.log(error?.code));
  response.on('error', (error) => console.log('error', error.code));
  console.log(response.write('late', (error) => console.log(error.code)));
});
server.listen(0, () => {
  http.get({ port: server.address().port }, (response) => {
    response.resume();
    response.on('end', () => server.close());
  });
});
