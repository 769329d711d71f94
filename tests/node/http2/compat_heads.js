'use strict';
// writeHead() with arrays, statuses without a body, HEAD, sendDate.
const { attempt, close, collect, compat, note } = require('./fixtures/pair');

const answers = {
  '/pairs': (response) => {
    response.setHeader('x-a', 'old');
    response.writeHead(200, [['x-a', '1'], ['x-a', '2'], ['x-b', '3']]).end('x');
  },
  '/flat': (response) => {
    response.setHeader('x-a', 'old');
    attempt(() => response.writeHead(200, ['x-a']));
    response.writeHead(200, ['x-a', '1', 'x-a', '2']);
    response.end('x');
  },
  '/message': (response) => response.writeHead(200, 'OK', { 'x-a': 'b' }).end(),
  '/204': (response) => response.writeHead(204).end('ignored'),
  '/304': (response) => {
    response.statusCode = 304;
    response.end();
  },
  '/no-date': (response) => {
    response.sendDate = false;
    response.flushHeaders();
    note('server', response.headersSent);
    response.end('flushed');
  },
  '/remove-date': (response) => {
    response.removeHeader('date');
    response.end();
  },
};
compat({}, (request, response) => answers[request.url](response), (client, server) => {
  const run = ([name, ...rest]) => {
    if (name === undefined) {
      close(client, server);
      return;
    }
    const [url, method] = name.split(' ');
    const request = client.request({ ':path': url, ':method': method ?? 'GET' });
    request.on('response', (all, flags) => note('client', name, 'date' in all, flags));
    collect(request, ({ headers, body, code }) => {
      note('client', name, headers, body, code);
      run(rest);
    });
  };
  run([...Object.keys(answers), '/pairs HEAD', '/no-date HEAD']);
});
