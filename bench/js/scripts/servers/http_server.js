'use strict';
// Arguments: what the server does, how many connections, and the folder with the files or the packages. One operation
// is a request. "own" is hello world by the server that the runtime has of its own: Bun.serve, Deno.serve, and
// node:http where there is none.
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { load } = require('./load.js');

const [work, connections, folder] = process.argv.slice(2);
const kDepth = 8;
const kHello = 'Hello, world!';
// wrk sends what request() returns at once: that many requests.
const kPipelined = `init = function(args)
  local requests = {}
  for i = 1, ${kDepth} do requests[i] = wrk.format() end
  all = table.concat(requests)
end
request = function() return all end`;
const kPost = `wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '${JSON.stringify({ text: 'x'.repeat(1012) })}'`;

const listeners = {
  hello(request, response) {
    response.end(kHello);
  },
  echo(request, response) {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(JSON.parse(body)));
    });
  },
  file(request, response) {
    fs.createReadStream(`${folder}/65536`).pipe(response);
  },
};
listeners.pipelined = listeners.hello;

const scripts = { 'pipelined': kPipelined, 'own-pipelined': kPipelined, 'echo': kPost };

function listening(port, protocol = 'http') {
  load(`${protocol}://127.0.0.1:${port}/`, connections, scripts[work]);
}

function listen(server, protocol) {
  server.listen(0, '127.0.0.1', () => listening(server.address().port, protocol));
}

function serveOwn() {
  const fetch = () => new Response(kHello);
  /* global Bun, Deno */
  if (typeof Bun !== 'undefined') {
    listening(Bun.serve({ hostname: '127.0.0.1', port: 0, fetch }).port);
  } else if (typeof Deno !== 'undefined') {
    Deno.serve({ hostname: '127.0.0.1', port: 0, onListen: ({ port }) => listening(port) }, fetch);
  } else {
    listen(require('node:http').createServer(listeners.hello));
  }
}

function packaged(name) {
  return createRequire(path.join(folder, 'index.js'))(name);
}

const servers = {
  'https'() {
    const keys = path.join(__dirname, 'keys');
    listen(require('node:https').createServer({
      key: fs.readFileSync(path.join(keys, 'key.pem')), cert: fs.readFileSync(path.join(keys, 'cert.pem')),
    }, listeners.hello), 'https');
  },
  'express'() {
    const app = packaged('express')();
    app.get('/', (request, response) => response.send(kHello));
    const server = app.listen(0, '127.0.0.1', () => listening(server.address().port));
  },
  async 'fastify'() {
    const app = packaged('fastify')();
    app.get('/', async () => ({ hello: 'world' }));
    await app.listen({ port: 0, host: '127.0.0.1' });
    listening(app.server.address().port);
  },
  'own': serveOwn,
  'own-pipelined': serveOwn,
};

if (work in servers) servers[work]();
else listen(require('node:http').createServer(listeners[work]));
