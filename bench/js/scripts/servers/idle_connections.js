'use strict';
// Argument: how many connections. A client of another process has made a request on each of them. Prints the bytes of
// resident memory that one takes in the server while it is idle.
const fs = require('node:fs');
const http = require('node:http');
const { generate, pin } = require('./load.js');

const kSettleMs = 1500;
const [connections] = process.argv.slice(2);

function resident() {
  const [, pages] = fs.readFileSync('/proc/self/statm', 'latin1').split(' ');
  return Number(pages) * 4096;
}

function clients(port, count) {
  return generate(['idle', port, count]);
}

const listener = http.createServer({ keepAliveTimeout: 600_000 }, (request, response) => response.end('x'));
listener.listen(0, '127.0.0.1', async () => {
  pin();
  const { port } = listener.address();
  await clients(port, 100); // code is loaded
  const before = resident();
  await clients(port, connections);
  setTimeout(() => {
    const bytes = (resident() - before) / connections;
    console.log(bytes, bytes);
    process.exit();
  }, kSettleMs);
});
