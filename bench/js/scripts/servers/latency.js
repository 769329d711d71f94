'use strict';
// Arguments: how many connections, and requests per second or "half": of the most that this server answers. Prints the
// 99.9 percentile of the latency of node:http in nanoseconds, from when a request was due.
const http = require('node:http');
const { generate, pin, runWrk } = require('./load.js');

const kSeconds = 4;
const [connections, wanted] = process.argv.slice(2);

const server = http.createServer((request, response) => response.end('Hello, world!'));
server.listen(0, '127.0.0.1', async () => {
  pin();
  const { port } = server.address();
  const { rate } = await runWrk({ url: `http://127.0.0.1:${port}/`, connections, seconds: 2 });
  const asked = wanted === 'half' ? rate / 2 : Number(wanted);
  const [, , late] = (await generate(['rate', port, connections, asked, kSeconds])).split(' ');
  console.log(late * 1e3, late * 1e3);
  process.exit();
});
