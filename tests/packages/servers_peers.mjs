// Programs that others wrote, at the other end: curl, openssl, nginx as a proxy and as what is proxied, nghttp, h2load and wrk.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import tls from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from './support/free_port.mjs';

const here = process.cwd();
const host = '127.0.0.1';

// Standard output; that of errors as well where `all` says so.
async function run(program, args, { input = '', all = false } = {}) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let text = '';
  let errors = '';
  child.stdout.on('data', (data) => { text += data; });
  child.stderr.on('data', (data) => { errors += data; });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  assert.strictEqual(code, 0, `${program} ended with ${code}: ${errors}`);
  return all ? text + errors : text;
}

async function listening(server) {
  server.listen(0, host);
  await once(server, 'listening');
  return server.address().port;
}

await run('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem',
  '-out', 'cert.pem', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-days', '2']);
const key = fs.readFileSync('key.pem');
const cert = fs.readFileSync('cert.pem');

// ---- Servers of ours ----

function answer(request, response) {
  let length = 0;
  request.on('data', (data) => { length += data.length; });
  request.on('end', () => {
    const { method, url, httpVersion } = request;
    if (url === '/large') response.end('l'.repeat(3_000_000));
    else if (url === '/chunks') for (let i = 0; i <= 100; i++) i < 100 ? response.write(`${i} `) : response.end();
    else response.end(`${method} ${url} ${httpVersion} ${length}`);
  });
}
const plain = http.createServer(answer);
const secure = https.createServer({ key, cert }, answer);
const second = http2.createSecureServer({ key, cert, allowHTTP1: true }, answer);
const plainPort = await listening(plain);
const securePort = await listening(secure);
const secondPort = await listening(second);

// ---- curl ----

const curl = (...args) => run('curl', ['--silent', '--show-error', '--max-time', '30', '--cacert', 'cert.pem', '--noproxy', '*', ...args]);
fs.writeFileSync('upload', 'u'.repeat(1_000_000));
for (const base of [`http://${host}:${plainPort}`, `https://localhost:${securePort}`, `https://localhost:${secondPort}`]) {
  console.log(await curl(`${base}/a`));
  console.log(await curl('--data-binary', '@upload', `${base}/post`));
  console.log(await curl('-T', 'upload', '-H', 'Transfer-Encoding: chunked', '-H', 'Expect: 100-continue', `${base}/put`));
  console.log((await curl(`${base}/large`)).length, (await curl(`${base}/chunks`)).length);
  console.log(await curl(`${base}/[1-5]`), await curl('--head', '--write-out', '%{http_code}', '--output', '/dev/null', `${base}/head`));
}

// ---- openssl ----

const said = await run('openssl', ['s_client', '-connect', `localhost:${securePort}`, '-CAfile', 'cert.pem', '-quiet', '-verify_return_error',
  '-tls1_2'], { input: 'GET /s_client HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' });
console.log(said.split('\r\n\r\n')[1]);

async function start(program, args, port) {
  const child = spawn(program, args, { stdio: 'ignore' });
  for (let i = 0; ; i++) {
    const socket = tls.connect({ port, host, rejectUnauthorized: false });
    const connected = await new Promise((resolve) => {
      socket.on('secureConnect', () => resolve(true));
      socket.on('error', () => resolve(false));
    });
    socket.destroy();
    if (connected) return child;
    assert(i < 200 && child.exitCode === null, `${program} does not listen`);
    await sleep(50);
  }
}

async function get(target, options) {
  const [response] = await once(https.get(target, { ca: cert, ...options }), 'response');
  response.setEncoding('latin1');
  let text = '';
  for await (const piece of response) text += piece;
  return text;
}

const opensslPort = await freePort();
const openssl = await start('openssl', ['s_server', '-accept', `${opensslPort}`, '-key', 'key.pem', '-cert', 'cert.pem', '-WWW', '-quiet'], opensslPort);
console.log((await get(`https://localhost:${opensslPort}/upload`)).length);
for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
  const socket = tls.connect({ port: opensslPort, host, servername: 'localhost', ca: cert, maxVersion });
  await once(socket, 'secureConnect');
  console.log(socket.getProtocol(), socket.authorized);
  socket.destroy();
}
openssl.kill();

// ---- nginx: a proxy to our server, and a server of its own files ----

const nginxPort = await freePort();
fs.mkdirSync('logs');
fs.writeFileSync('nginx.conf', `
daemon off; master_process off; pid ${here}/nginx.pid; error_log ${here}/logs/error.log;
events { worker_connections 256; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${here}/${name};`).join(' ')}
  upstream ours { server ${host}:${plainPort}; keepalive 8; }
  server {
    listen ${host}:${nginxPort} ssl http2;
    ssl_certificate ${here}/cert.pem; ssl_certificate_key ${here}/key.pem;
    client_max_body_size 10m;
    location /files/ { alias ${here}/; }
    location / { proxy_pass http://ours; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}`);
const nginx = await start('nginx', ['-p', here, '-e', `${here}/logs/error.log`, '-c', `${here}/nginx.conf`], nginxPort);
const front = `https://localhost:${nginxPort}`;
console.log(await curl(`${front}/through`), await curl('--data-binary', '@upload', `${front}/through`), (await curl(`${front}/large`)).length);
const agent = new https.Agent({ keepAlive: true });
for (let i = 0; i < 3; i++) console.log((await get(`${front}/files/upload`, { agent })).length, await get(`${front}/again`, { agent }));
agent.destroy();
const session = http2.connect(front, { ca: cert });
const streams = Array.from({ length: 20 }, async (_, i) => {
  const stream = session.request({ ':path': i % 2 ? '/files/upload' : '/second' });
  let length = 0;
  for await (const piece of stream) length += piece.length;
  return length;
});
console.log((await Promise.all(streams)).join(' '));
await new Promise((resolve) => session.close(resolve));

// ---- nghttp, h2load, wrk ----

console.log(await run('nghttp', ['--no-verify-peer', `https://localhost:${secondPort}/nghttp`]));
const load = await run('h2load', ['-n', '2000', '-c', '10', '-m', '20', `https://localhost:${secondPort}/load`]);
console.log(/^requests: .*$/m.exec(load)[0]);
const figures = await run('wrk', ['-t', '1', '-c', '50', '-d', '1', `http://${host}:${plainPort}/wrk`]);
console.log(/requests in/.test(figures), /Socket errors|Non-2xx/.test(figures));

nginx.kill();
for (const server of [plain, secure, second]) server.close();
plain.closeAllConnections();
secure.closeAllConnections();
