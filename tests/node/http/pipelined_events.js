'use strict';
// Events of responses to requests that arrive together.
const { run } = require('./fixtures/raw.js');

const get = (url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`;
run({ three: get('/1') + get('/2') + get('/last') }, (request, response) => {
  const { url } = request;
  console.log('request', url, request.socket.bytesWritten > 0);
  if (url === '/last') response.setHeader('Connection', 'close');
  for (const name of ['prefinish', 'finish', 'close']) {
    response.on(name, () => console.log(url, name, response.writableFinished, response.writableLength));
  }
  request.on('close', () => console.log(url, 'request closes'));
  response.end(url, () => console.log(url, 'end'));
  process.nextTick(() => console.log(url, 'tick'));
  setImmediate(() => console.log(url, 'immediate'));
});
