'use strict';
// What fetch() rejects with.
const http = require('http');
const net = require('net');

async function serve(handler) {
  const server = http.createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [server, `http://127.0.0.1:${server.address().port}`];
}

(async () => {
  const show = ({ name, message, cause }) => console.log(name, message, cause?.code, cause?.name, cause?.message?.replace(/\d{4,5}/, 'port'));
  const [server, base] = await serve((request, response) => {
    if (request.url === '/cut') {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('begun');
      setTimeout(() => response.destroy(), 20);
    } else if (request.url === '/gone') {
      request.socket.destroy();
    } else if (request.url === '/zipped') {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('not zipped');
    }
  });
  const closed = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.on('listening', resolve));
  const { port } = closed.address();
  await new Promise((resolve) => closed.close(resolve));
  await fetch(`http://127.0.0.1:${port}/`).catch(show);
  await fetch(`${base}/gone`).catch(show);
  await fetch(`${base}/cut`).then((response) => response.text()).catch(show);
  await fetch(`${base}/zipped`).then((response) => response.text()).catch(show);
  await fetch('http://127.0.0.1:1/').catch(show);
  await fetch('nonsense').catch(show);
  await fetch('ftp://127.0.0.1/').catch(show);
  await fetch(`${base}/`, { method: 'GET', body: 'x' }).catch(show);
  await fetch(`${base}/`, { method: 'POST', body: new ReadableStream() }).catch(show);
  await fetch(`${base}/`, { headers: { 'a b': 'c' } }).catch(show);
  await fetch(`${base}/wait`, { signal: AbortSignal.timeout(50) }).catch(show);
  await fetch(`${base}/wait`, { signal: AbortSignal.abort('why') }).catch((reason) => console.log(reason));
  server.closeAllConnections();
  server.close();
})();
