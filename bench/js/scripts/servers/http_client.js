'use strict';
// Argument: "http" or "fetch". Requests to a server of another process, 50 at a time on connections that are kept. One
// operation is a request, and what counts is the client.
const { spawn } = require('node:child_process');
const http = require('node:http');

const kTogether = 50;
const kWarmUp = 5_000;
const kRequests = 20_000;
const [api] = process.argv.slice(2);

function server() {
  http.createServer((request, response) => response.end('Hello, world!')).listen(0, '127.0.0.1', function() {
    console.log(this.address().port);
  });
  // The parent ends us with its end of the pipe.
  process.stdin.on('end', () => process.exit()).resume();
}

const agent = new http.Agent({ keepAlive: true, maxSockets: kTogether });
const apis = {
  http: (port) => new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', agent }, (response) => {
      response.resume();
      response.on('end', resolve);
    }).on('error', reject);
  }),
  fetch: async (port) => (await fetch(`http://127.0.0.1:${port}/`)).text(),
};

async function ask(port, count) {
  let left = count;
  await Promise.all(Array.from({ length: kTogether }, async () => {
    while (left-- > 0) await apis[api](port);
  }));
}

async function client() {
  const child = spawn(process.execPath, [__filename, 'server'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await new Promise((resolve) => child.stdout.once('data', (text) => resolve([Number(String(text))])));
  await ask(port, kWarmUp);
  const cpu = process.cpuUsage();
  const started = performance.now();
  await ask(port, kRequests);
  const passed = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  console.log((passed * 1e6) / kRequests, ((user + system) * 1e3) / kRequests);
  child.kill();
  process.exit(0);
}

if (api === 'server') server();
else client();
