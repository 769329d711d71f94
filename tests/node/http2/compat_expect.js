'use strict';
// Expect: 100-continue and others, with listeners and without.
const { close, collect, compat, note } = require('./fixtures/pair');

const server = compat({}, (request, response) => {
  note('server', 'request', request.headers.expect);
  request.resume();
  response.end('answer');
}, (client) => {
  const ask = (expect, next) => {
    const request = client.request({ ':method': 'POST', expect });
    request.on('continue', () => {
      note('client', 'continue');
      request.end('body');
    });
    request.on('response', () => { if (!request.writableEnded) request.end(); });
    collect(request, ({ headers, body }) => {
      note('client', headers[':status'], body);
      next();
    });
  };
  ask('100-continue', () => ask('something', () => {
    server.on('checkContinue', (request, response) => {
      note('server', 'checkContinue');
      response.writeContinue();
      response.end('checked');
    });
    server.on('checkExpectation', (request, response) => {
      note('server', 'checkExpectation', request.headers.expect);
      response.statusCode = 400;
      response.end();
    });
    ask('100-continue', () => ask('something', () => close(client, server)));
  }));
});
