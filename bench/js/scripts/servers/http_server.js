'use strict';
// Arguments: what the server does, how many connections, and for "file" the folder with the files. One operation
// is a request.
const fs = require('node:fs');
const path = require('node:path');
const { load } = require('./load.js');

const [work, connections, folder] = process.argv.slice(2);
const kDepth = 8;
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
    response.end('Hello, world!');
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

const scripts = { pipelined: kPipelined, echo: kPost };

function listening(server, protocol = 'http') {
  load(`${protocol}://127.0.0.1:${server.address().port}/`, connections, scripts[work]);
}

if (work === 'https') {
  const keys = path.join(__dirname, 'keys');
  const server = require('node:https').createServer({
    key: fs.readFileSync(path.join(keys, 'key.pem')), cert: fs.readFileSync(path.join(keys, 'cert.pem')),
  }, listeners.hello);
  server.listen(0, '127.0.0.1', () => listening(server, 'https'));
} else {
  const server = require('node:http').createServer(listeners[work]);
  server.listen(0, '127.0.0.1', () => listening(server));
}
