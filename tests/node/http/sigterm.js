'use strict';
// SIGTERM and close(): the process ends by itself when the last answer is out.
const http = require('node:http');

const agent = new http.Agent({ keepAlive: true });
const server = http.createServer((request, response) => {
  if (request.url === '/quick') {
    response.end('done');
    return;
  }
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => response.end('done'), 80);
});
process.on('SIGTERM', () => {
  console.log('SIGTERM');
  server.close(() => console.log('closed'));
});
process.on('exit', (code) => console.log('exit', code));
server.listen(0, () => {
  const ask = (path, then) => http.get({ port: server.address().port, path, agent }, (response) => {
    response.resume();
    response.on('end', () => {
      console.log(path, response.statusCode);
      then?.();
    });
  });
  ask('/quick', () => setImmediate(ask, '/slow'));
});
