'use strict';
// close() lets what is under way come to its end and closes connections that are idle.
const http = require('node:http');

const agent = new http.Agent({ keepAlive: true });
const server = http.createServer((request, response) => {
  if (request.url !== '/slow') {
    response.end('quick');
    return;
  }
  setTimeout(() => response.end('slow'), 100);
  console.log('closing');
  server.close((error) => console.log('closed', error));
  console.log('listening', server.listening);
});

function get(path, headers) {
  return new Promise((resolve) => {
    http.get({ port: server.address().port, path, agent, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        console.log(path, text, response.headers.connection);
        setImmediate(resolve);
      });
    });
  });
}

server.listen(0, async () => {
  await get('/quick');
  await get('/slow');
});
