'use strict';
// A client that goes away: the events of both sides.
const http = require('http');

const server = http.createServer((req, res) => {
  req.on('aborted', () => console.log('server aborted'));
  req.on('error', (error) => console.log('server', error.code, error.message));
  req.signal.addEventListener('abort', () => console.log('signal'));
  res.on('close', () => {
    console.log('res close', res.writableFinished, req.destroyed);
    server.close(() => console.log('closed'));
  });
  res.write('part');
});
server.listen(0, () => {
  const req = http.request({ port: server.address().port, method: 'POST' }, (res) => {
    res.on('error', (error) => console.log('client res', error.code, error.message));
    res.once('data', () => req.destroy());
  });
  req.on('error', (error) => console.log('client req', error.code));
  req.on('close', () => console.log('req close'));
  req.write('some');
});
