'use strict';
// Argument: "http" or "fetch". Requests to a server of another process, 50 at a time on connections that are kept. One
// operation is a request, and what counts is the client.
const http = require('node:http');
const { clock, finish, generate, pin } = require('./load.js');

const kTogether = 50;
const kWarmUp = 20_000;
const kRequests = 40_000;
const [api] = process.argv.slice(2);

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

async function main() {
  pin();
  const port = Number(await generate(['serve']));
  await ask(port, kWarmUp);
  const stop = clock();
  await ask(port, kRequests);
  finish(stop(), kRequests);
}

main();
