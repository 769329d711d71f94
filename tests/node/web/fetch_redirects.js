'use strict';
// Redirects: methods, bodies, limits, and what the response says of them.
const http = require('http');

async function serve(handler) {
  const server = http.createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [server, `http://127.0.0.1:${server.address().port}`];
}

(async () => {
  const [server, base] = await serve((request, response) => {
    const [, status, target] = /^\/(\d+)(\/.*)/.exec(request.url) ?? [];
    if (status) {
      response.writeHead(Number(status), { Location: target }).end();
      return;
    }
    if (request.url === '/loop') {
      response.writeHead(302, { Location: '/loop' }).end();
      return;
    }
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => response.end(`${request.method} ${Buffer.concat(chunks)}`));
  });
  for (const status of [301, 302, 303, 307, 308]) {
    for (const method of ['GET', 'POST', 'PUT']) {
      const response = await fetch(`${base}/${status}/end`, { method, body: method === 'GET' ? undefined : 'body' });
      console.log(status, method, response.status, response.redirected, new URL(response.url).pathname, await response.text());
    }
  }
  const manual = await fetch(`${base}/302/end`, { redirect: 'manual' });
  console.log(manual.type, manual.status, manual.headers.get('location'));
  await fetch(`${base}/302/end`, { redirect: 'error' }).catch((error) => console.log(error.message, error.cause.message));
  await fetch(`${base}/loop`).catch((error) => console.log(error.message, error.cause.message));
  server.closeAllConnections();
  server.close();
})();
