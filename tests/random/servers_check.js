'use strict';
// Servers under clients that vanish at random.
//
//   rondo servers_check.js [--seconds=60] [--seed=1] [--connections=100] [--each=N]
//
// A server of its own process (http, https, http2) serves this many connections at a time. Their clients ask for bytes,
// post some, send several requests at once, pause, and vanish: they close, reset or half-close in the middle of anything.
// Who stays gets each answer whole. When all have gone, the server has no connection left and no more descriptors and
// memory than after the first such load. Then it gets SIGTERM with requests in flight: it closes, these are answered, and
// its process ends by itself with exit code 0. --each: seconds for each server.

const assert = require('node:assert');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const http2 = require('node:http2');
const https = require('node:https');
const net = require('node:net');
const path = require('node:path');
const timers = require('node:timers/promises');
const tls = require('node:tls');
const { parseArgs } = require('node:util');
const { Random } = require('./random.js');

const kKeys = path.join(__dirname, '../node/tls/keys');
const kKinds = ['http', 'https', 'http2'];
const kPattern = Buffer.from(Array.from({ length: 4096 }, (_, i) => 33 + i * 7 % 90));
const kInFlight = 20; // connections, with one to three requests each
const kSizes = [0, 1, 100, 1500, 20_000, 150_000];
const kSlowMs = 100; // from SIGTERM to the answers that were in flight
const kAnswerMs = 240_000; // a connection that takes as long is stuck, also on a machine that is busy
const kMoreMemory = 128 << 20; // that the C library and V8 may keep of a later, larger peak

function bytesOf(size) {
  return Buffer.alloc(size, kPattern);
}

// ---- The server ----

const slow = []; // answers that wait for SIGTERM

function answer(request, response) {
  const [, what, size] = request.url.split('/');
  request.on('error', () => {});
  response.on('error', () => {});
  if (what === 'bytes') {
    response.setHeader('Content-Length', size);
    response.end(bytesOf(Number(size)));
  } else if (what === 'slow') {
    slow.push(() => {
      response.setHeader('Content-Length', size);
      response.end(bytesOf(Number(size)));
    });
  } else {
    let count = 0;
    request.on('data', (data) => { count += data.length; });
    request.on('end', () => {
      const text = String(count);
      response.setHeader('Content-Length', text.length);
      response.end(text);
    });
  }
}

async function report(server) {
  const connections = await new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await timers.setTimeout(5);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { connections, descriptors: fs.readdirSync('/proc/self/fd').length, memory: heapUsed + external, rss, waiting: slow.length };
}

function serve(kind) {
  const credentials = { key: fs.readFileSync(`${kKeys}/rsa-key.pem`), cert: fs.readFileSync(`${kKeys}/rsa-cert.pem`) };
  const options = { keepAliveTimeout: 2 * kAnswerMs };
  const server = kind === 'http' ? http.createServer(options, answer) :
    kind === 'https' ? https.createServer({ ...options, ...credentials }, answer) : http2.createServer(answer);
  server.on('tlsClientError', () => {});
  server.on('clientError', (error, socket) => socket.destroy());
  server.on('sessionError', () => {});
  server.listen(0, '127.0.0.1', 4096, () => process.send({ port: server.address().port }));
  process.on('message', async () => process.send(await report(server)));
  let closes = false;
  process.on('SIGTERM', () => {
    closes = true;
    server.keepAliveTimeout = 100; // of those whose answers are on their way
    server.close();
    setTimeout(() => slow.forEach((end) => end()), kSlowMs);
    process.disconnect();
  });
  process.on('disconnect', () => { if (!closes) process.exit(1); });
}

// ---- Clients of HTTP/1 ----

// Reads answers from a socket, one after the other. After the end, or an error, there are none.
class Answers {
  #chunks = [];
  #size = 0;
  #ended = false;
  #wake = () => {};

  constructor(socket) {
    socket.on('data', (data) => {
      this.#chunks.push(data);
      this.#size += data.length;
      this.#wake();
    });
    for (const event of ['end', 'close', 'error']) {
      socket.on(event, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  async #upTo(isEnough) {
    while (!isEnough()) {
      if (this.#ended) return false;
      const { promise, resolve } = Promise.withResolvers();
      this.#wake = resolve;
      await promise;
    }
    return true;
  }

  #joined() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  // The body, or undefined.
  async next() {
    let end = -1;
    const hasHead = await this.#upTo(() => (end = this.#joined().indexOf('\r\n\r\n')) >= 0);
    if (!hasHead) return undefined;
    const head = this.#joined().toString('latin1', 0, end);
    assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
    const size = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)[1]);
    if (!await this.#upTo(() => this.#size >= size)) return undefined;
    const bytes = this.#joined();
    this.#chunks = [bytes.subarray(size)];
    this.#size -= size;
    return bytes.subarray(end + 4, size);
  }
}

function randomRequest(random, sizes = kSizes) {
  const size = random.pick(sizes);
  if (random.chance(70)) return { text: `GET /bytes/${size} HTTP/1.1\r\nHost: a\r\n\r\n`, body: bytesOf(size) };
  const isChunked = random.chance(50);
  const framed = isChunked ? `${size.toString(16)}\r\n${'p'.repeat(size)}${size > 0 ? '\r\n0\r\n' : ''}\r\n` : 'p'.repeat(size);
  const header = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${size}`;
  return { text: `POST /count HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n${framed}`, body: Buffer.from(String(size)) };
}

function connect(kind, port) {
  const options = { port, host: '127.0.0.1' };
  const socket = kind === 'https' ? tls.connect({ ...options, rejectUnauthorized: false }) : net.connect(options);
  socket.on('error', () => {});
  return socket;
}

function vanish(socket, random) {
  const how = random.below(4);
  if (how === 0 && !socket.encrypted) socket.resetAndDestroy();
  else if (how === 1) socket.end();
  if (how !== 1) socket.destroy();
  else setTimeout(() => socket.destroy(), random.below(20)).unref();
}

// Whoever stays has all answers in the end; who vanishes has some, and these are right.
async function visit1(kind, port, random) {
  const socket = connect(kind, port);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const answers = new Answers(socket);
  const stays = random.chance(50);
  if (!stays) setTimeout(vanish, random.below(60), socket, random);
  let complete = true;
  for (let left = 1 + random.below(6); left > 0 && complete; left--) {
    const count = random.chance(30) ? 4 : 1;
    // As in Node, what arrives by TLS after a flood of pipelined requests has stopped reading is an error (HPE_PAUSED).
    const sizes = kind === 'https' && count > 1 ? kSizes.slice(0, 4) : kSizes;
    const requests = Array.from({ length: count }, () => randomRequest(random, sizes));
    const text = requests.map((request) => request.text).join('');
    if (random.chance(20)) {
      const at = random.below(text.length);
      socket.write(text.slice(0, at));
      await timers.setTimeout(random.below(10));
      socket.write(text.slice(at));
    } else {
      socket.write(text);
    }
    for (const { body } of requests) {
      const received = await answers.next();
      complete = received !== undefined;
      if (!complete) break;
      assert(received.equals(body), `an answer of ${received.length} bytes for ${body.length}`);
    }
    if (random.chance(30)) await timers.setTimeout(random.below(30));
  }
  assert(complete || !stays, 'a client that stayed has no answer');
  socket.destroy();
  await closed;
}

// ---- Clients of HTTP/2 ----

async function visit2(kind, port, random) {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  session.on('error', () => {});
  const closed = new Promise((resolve) => session.on('close', resolve));
  const stays = random.chance(50);
  if (!stays) {
    setTimeout(() => {
      if (random.chance(50)) session.destroy();
      else session.close();
      setTimeout(() => session.destroy(), random.below(20)).unref();
    }, random.below(60));
  }
  for (let left = 1 + random.below(4); left > 0 && !session.destroyed && !session.closed; left--) {
    const ask = async () => {
      const { text, body } = randomRequest(random);
      const [method, target] = text.split(' ', 2);
      const stream = session.request({ ':method': method, ':path': target });
      const gone = new Promise((resolve) => stream.on('close', resolve));
      const chunks = [];
      stream.on('error', () => {});
      stream.on('data', (data) => chunks.push(data));
      if (random.chance(10)) stream.close(http2.constants.NGHTTP2_CANCEL);
      else stream.end(method === 'POST' ? Buffer.alloc(Number(body.toString()), 'p') : undefined);
      const isReset = stream.closed;
      await gone;
      if (stays && !isReset) assert(Buffer.concat(chunks).equals(body), 'a stream that stayed has no answer');
    };
    await Promise.all(Array.from({ length: 1 + random.below(4) }, ask));
  }
  session.destroy();
  await closed;
}

// ---- The load ----

const { values: options } = parseArgs({
  options: {
    'seconds': { type: 'string', default: '60' },
    'seed': { type: 'string', default: '1' },
    'connections': { type: 'string', default: '100' },
    'each': { type: 'string', default: '3' },
    'serve': { type: 'string' },
    'no-address-limit': { type: 'boolean' }, // of the other checks: with AddressSanitizer
  },
});

async function inTime(promise, what) {
  const timer = new AbortController();
  const late = timers.setTimeout(kAnswerMs, undefined, { signal: timer.signal }).then(() => { throw new Error(`${what} is stuck`); }, () => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
}

async function load(kind, port, random, milliseconds) {
  const end = Date.now() + milliseconds;
  const visit = kind === 'http2' ? visit2 : visit1;
  let visits = 0;
  const slots = Array.from({ length: Number(options.connections) }, async (_, i) => {
    // One after the other: a thousand handshakes at once would be another test.
    await timers.setTimeout(i / 4);
    do {
      visits++;
      await inTime(visit(kind, port, random), 'a connection');
    } while (Date.now() < end);
  });
  await Promise.all(slots);
  return visits;
}

async function ask(child) {
  child.send('report');
  const [figures] = await once(child, 'message');
  return figures;
}

// What closed late is gone a moment later.
async function settled(child) {
  let figures = await ask(child);
  for (let i = 0; i < 100 && figures.connections > 0; i++) {
    await timers.setTimeout(50);
    figures = await ask(child);
  }
  return figures;
}

// ---- The end ----

async function slow1(kind, port, count) {
  const socket = connect(kind, port);
  const answers = new Answers(socket);
  socket.write('GET /slow/5000 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
  if (kind === 'https') await once(socket, 'secureConnect');
  return async () => {
    for (let i = 0; i < count; i++) assert((await answers.next())?.equals(bytesOf(5000)), 'a request in flight has no answer');
  };
}

async function slow2(port, count) {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  session.on('error', () => {});
  const streams = Array.from({ length: count }, async () => {
    const stream = session.request({ ':path': '/slow/5000' });
    const chunks = [];
    stream.on('error', () => {});
    stream.on('data', (data) => chunks.push(data));
    await once(stream, 'close');
    assert(Buffer.concat(chunks).equals(bytesOf(5000)), 'a stream in flight has no answer');
  });
  await once(session, 'connect');
  return () => Promise.all(streams);
}

async function terminate(kind, child, port) {
  const exited = once(child, 'exit');
  const idle = [];
  if (kind === 'http2') {
    idle.push(http2.connect(`http://127.0.0.1:${port}`));
    await once(idle[0], 'remoteSettings');
  } else {
    for (let i = 0; i < 10; i++) {
      const socket = connect(kind, port);
      const answers = new Answers(socket);
      socket.write('GET /bytes/10 HTTP/1.1\r\nHost: a\r\n\r\n');
      await answers.next();
      idle.push(socket);
    }
  }
  const begin = kind === 'http2' ? slow2 : (at, count) => slow1(kind, at, count);
  const inFlight = await Promise.all(Array.from({ length: kInFlight }, (_, i) => begin(port, 1 + i % 3)));
  while ((await ask(child)).waiting < kInFlight * 2 - 1) await timers.setTimeout(20);
  child.kill('SIGTERM');
  await inTime(Promise.all(inFlight.map((answered) => answered())), 'a request in flight');
  const [code, signal] = await inTime(exited, 'the process after SIGTERM');
  assert.deepStrictEqual([code, signal], [0, null]);
  for (const each of idle) each.destroy();
}

async function check(kind, seed) {
  const random = new Random(seed);
  const child = fork(__filename, [`--serve=${kind}`], { execArgv: ['--expose-gc'] });
  const [{ port }] = await once(child, 'message');
  const milliseconds = Number(options.each) * 1000;
  try {
    let visits = await load(kind, port, random, milliseconds / 3);
    const first = await settled(child);
    visits += await load(kind, port, random, milliseconds * 2 / 3);
    const last = await settled(child);
    const figures = `${JSON.stringify(first)}, then ${JSON.stringify(last)}`;
    assert.strictEqual(last.connections, 0, `connections are left: ${figures}`);
    assert(last.descriptors <= first.descriptors, `descriptors are left: ${figures}`);
    assert(last.memory < first.memory + (8 << 20), `memory is left: ${figures}`);
    assert(last.rss < first.rss + kMoreMemory, `memory is left: ${figures}`);
    await terminate(kind, child, port);
    console.log(`${kind}, seed ${seed}: ${visits} connections, ${figures}`);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${kind}, seed ${seed}`, { cause: error });
  }
}

async function main() {
  const deadline = Date.now() + Number(options.seconds) * 1000;
  let seed = Number(options.seed);
  do {
    await check(kKinds[seed++ % kKinds.length], seed);
  } while (Date.now() < deadline);
}

if (options.serve) serve(options.serve);
else main();
