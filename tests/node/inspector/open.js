// rondo-test: option=--no-warnings option=--inspect-publish-uid=http
// inspector.open() and its kin, and what the server answers to requests of HTTP.
'use strict';
const http = require('http');
const inspector = require('inspector');

const id = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

function request(port, path, headers, method = 'GET') {
  return new Promise((resolve) => {
    http.request({ host: '127.0.0.1', port, path, headers, method }, (response) => {
      let body = '';
      response.on('data', (data) => { body += data; });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.rawHeaders, body }));
    }).on('error', (error) => resolve(error.code)).end();
  });
}

function attempt(name, ...args) {
  try {
    return inspector[name](...args);
  } catch (error) {
    return `${error.name} ${error.code}: ${error.message}`;
  }
}

(async () => {
  console.log(inspector.url(), attempt('waitForDebugger'), inspector.close(), process.debugPort);
  console.log(attempt('open', 65536));
  const opened = inspector.open(0);
  console.log(Object.getOwnPropertySymbols(opened), Object.getPrototypeOf(opened));
  const { hostname, port, pathname } = new URL(inspector.url());
  console.log(hostname, Number(port) === process.debugPort, pathname.replace(id, 'ID'));
  console.log(attempt('open', 0));

  for (const [path, headers, method] of [
    ['/json/version'], ['/JSON/Version/'], ['/json/nothing'], ['/'], ['/json', {}, 'POST'],
    ['/json', { host: 'example.com' }], ['/json', { host: `example.com:${port}` }], ['/json', { host: '0.0.0.0' }],
    ['/json', { host: '127.0.0.1.example.com' }], ['/json', { host: '0x7f.1' }],
    ['/nothing', { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'key' }],
    [pathname, { connection: 'Upgrade', upgrade: 'websocket' }],
  ]) {
    const { status, headers: sent, body } = await request(port, path, headers, method);
    console.log(path.replace(id, 'ID'), headers?.host?.replace(port, 'PORT') ?? '', status, sent?.join('|'), body);
  }
  for (const host of ['localhost', 'LOCALHOST:1', '[::1]:9', '10.1.2.3']) {
    const { status, body } = await request(port, '/json/list', { host });
    const [target] = JSON.parse(body);
    console.log(host, status, target.type, target.description, target.webSocketDebuggerUrl.replace(id, 'ID'),
      target.devtoolsFrontendUrl.replace(id, 'ID'), target.url.endsWith('/open.js'), target.id === pathname.slice(1));
  }
  const protocol = JSON.parse((await request(port, '/json/protocol')).body);
  console.log(protocol.version, protocol.domains.map(({ domain }) => domain).join());

  opened[Symbol.dispose]();
  console.log(inspector.url(), await request(port, '/json'));
  inspector.open(0, 'localhost');
  console.log(new URL(inspector.url()).hostname);
  inspector.close();
})();
