'use strict';
// Requests with and without keep-alive, with bodies; what the agent keeps.
const https = require('https');
const { ca, identity, listen, note } = require('./fixtures/pair');

const server = https.createServer(identity('server'), (request, response) => {
  const parts = [];
  request.on('data', (chunk) => parts.push(chunk));
  request.on('end', () => {
    note('server', request.method, request.url, request.socket.encrypted, Buffer.concat(parts).length);
    response.setHeader('x-reused', request.socket.isSessionReused());
    response.end(`answer to ${request.url}`);
  });
});

listen(server, ({ port }) => {
  const agent = new https.Agent({ keepAlive: true, ca });
  const ask = (options, body, next) => {
    const request = https.request({ port, host: 'localhost', family: 4, agent, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => { text += chunk; });
      response.on('end', () => {
        note('client', response.statusCode, response.headers['x-reused'], text, request.reusedSocket);
        setImmediate(next);
      });
    });
    request.on('error', (error) => {
      note('client', error.code);
      setImmediate(next);
    });
    request.end(body);
  };
  ask({ path: '/one' }, undefined, () => {
    ask({ path: '/two', method: 'POST' }, 'x'.repeat(100_000), () => {
      ask({ path: '/three', agent: false }, undefined, () => {
        ask({ path: '/four', agent: false, ca }, undefined, () => {
          note('client', Object.keys(agent.freeSockets).length, agent._sessionCache.list.length);
          agent.destroy();
          server.close();
        });
      });
    });
  });
});
