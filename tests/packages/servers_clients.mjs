// axios, got, undici, node-fetch and superagent against one server, directly and through http-proxy.
import { once } from 'node:events';
import http from 'node:http';
import axios from 'axios';
import got from 'got';
import httpProxy from 'http-proxy';
import nodeFetch from 'node-fetch';
import superagent from 'superagent';
import { Pool, request as undiciRequest } from 'undici';
import { gzipSync } from 'node:zlib';

let flaky = 0;
const server = http.createServer((request, response) => {
  const { url, method } = request;
  if (url === '/redirect') {
    response.writeHead(302, { Location: '/json' }).end();
  } else if (url === '/json') {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Encoding', 'gzip');
    response.end(gzipSync(JSON.stringify({ method, via: request.headers['x-via'] })));
  } else if (url === '/flaky') {
    response.writeHead(flaky++ % 2 === 0 ? 503 : 200).end('answer');
  } else if (url === '/missing') {
    response.writeHead(404).end('no such thing');
  } else if (url === '/slow') {
    setTimeout(() => response.end(), 5000).unref();
  } else {
    let length = 0;
    request.on('data', (chunk) => {
      length += chunk.length;
    });
    request.on('end', () => response.end(`${method} ${length}`));
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${server.address().port}`;

const proxy = httpProxy.createProxyServer({ target: base, headers: { 'x-via': 'proxy' } });
const front = http.createServer((request, response) => proxy.web(request, response));
front.listen(0, '127.0.0.1');
await once(front, 'listening');
const proxied = `http://127.0.0.1:${front.address().port}`;

const body = Buffer.alloc(200_000, 'x');
for (const [name, url] of [['direct', base], ['proxied', proxied]]) {
  console.log(name, 'axios', (await axios.get(`${url}/redirect`)).data, (await axios.post(`${url}/`, body)).data);
  await axios.get(`${url}/missing`).catch((error) => console.log(error.code, error.response.status, error.response.data));
  await axios.get(`${url}/slow`, { timeout: 50 }).catch((error) => console.log(error.code, error.message));

  console.log(name, 'got', await got(`${url}/redirect`).json(), await got.post(`${url}/`, { body }).text());
  console.log((await got(`${url}/flaky`, { retry: { limit: 2, calculateDelay: ({ computedValue }) => computedValue && 1 } })).body);
  await got(`${url}/missing`).catch((error) => console.log(error.name, error.code, error.response.body));
  await got(`${url}/slow`, { timeout: { request: 50 }, retry: { limit: 0 } }).catch((error) => console.log(error.name, error.code));

  const { statusCode, body: answer } = await undiciRequest(`${url}/`, { method: 'PUT', body });
  console.log(name, 'undici', statusCode, await answer.text());

  const fetched = await nodeFetch(`${url}/redirect`);
  console.log(name, 'node-fetch', fetched.redirected, await fetched.json());
  console.log(await (await nodeFetch(`${url}/`, { method: 'POST', body })).text());

  const sent = await superagent.post(`${url}/`).type('text/plain').send('x'.repeat(1000));
  console.log(name, 'superagent', sent.status, sent.text, (await superagent.get(`${url}/redirect`)).body);
  await superagent.get(`${url}/missing`).catch((error) => console.log(error.status, error.message));
}
const pool = new Pool(base, { connections: 2 });
const answers = await Promise.all(Array.from({ length: 20 }, async () => {
  const one = await pool.request({ path: '/', method: 'POST', body: 'abc' });
  return one.body.text();
}));
console.log(new Set(answers));
await pool.close();
process.exit();
