'use strict';
// HTTP/1 as attackers send it: random bytes that are almost requests, or almost responses, in random pieces. See README.md.
//
//   http_bytes.js FIRST COUNT
//
// Each program sends bytes on one connection, to a server or as the answer to a request, and prints what came of them:
// what the program saw (requests, bodies, errors), what the peer got, and how the connection ended. The peer waits after
// each piece until nothing happens any more, so that both runtimes read the same pieces.

const http = require('node:http');
const net = require('node:net');
const { setImmediate: immediate } = require('node:timers/promises');
const { Random } = require('./random.js');

// ---- Almost HTTP ----

const kLengths = ['0', '1', '3', '5', '5, 5', '+5', '-1', '0x5', ' 5 ', '05', '5 5', '99999999999999999999', '', '18446744073709551615', '5\t', '5;a'];
const kCodings = ['chunked', 'Chunked', ' chunked', 'chunked ', 'identity', 'gzip, chunked', 'chunked, identity', 'chunked, chunked',
  'xchunked', 'chunkedx', '\tchunked', ',chunked', 'chunked,', '', '"chunked"', 'gzip'];
const kConnections = ['close', 'keep-alive', 'upgrade', 'close, keep-alive', 'Upgrade, close', 'x', '', 'keep-alive, upgrade', 'CLOSE'];
const kChunkSizes = ['1', '2', '3', '5', 'a', 'A', '0', '00', '000005', '0x5', '5 ', ' 5', '5;', '5;a', '5;a=b', '5;a="b"', '5;a="\r\n"',
  '-1', 'g', '', '5\t', 'fffffffffffffffff', 'ffffffff', '5;\n', '+5', `5;${'x'.repeat(300)}`];
const kTexts = ['', 'a', 'a b', ' a ', '\ta\t', 'a\x00b', 'a\x01b', 'a\x7fb', 'a\xe9b', 'a\rb', 'a\nb', 'x'.repeat(200), 'x'.repeat(5000),
  '"a"', 'a,b', 'a;b', '\u00ff', 'a\vb', 'a: b'];
const kNames = ['X', 'x-a', 'Host', 'host', 'Cookie', 'X A', 'X:', '', 'X\x00', 'X\xe9', 'X\t', ' X', '__proto__', 'constructor', 'Date',
  'Set-Cookie', 'Trailer', 'Range', 'Content-Type', 'Age', 'X(Y)', 'X@Y', 'X/Y', 'Keep-Alive', 'TE', 'Content-Length ', 'Transfer-Encoding\t',
  'x'.repeat(300)];
const kEnds = ['\n', '\r', '\r\r\n', '\n\r', ' \r\n', '\r\n ', '\r\n\t', '\r\n\r\n', ''];

class Bytes {
  constructor(random, isWild) {
    this.random = random;
    this.oddity = isWild ? 12 : 2; // per cent
    this.isFirst = true;
    this.isLast = false;
  }

  odd() { return this.random.chance(this.oddity); }

  end() { return this.odd() ? this.random.pick(kEnds) : '\r\n'; }

  header(name, value) {
    const colon = this.odd() ? this.random.pick([':', ' : ', '\t: ', ':\t', '', ':\r\n ', ': \r\n\t']) : ': ';
    return `${name}${colon}${value}${this.end()}`;
  }

  chunked() {
    const { random } = this;
    let text = '';
    const count = random.below(5);
    for (let i = 0; i < count; i++) {
      const data = 'data-of-chunks'.slice(0, 1 + random.below(12));
      const size = this.odd() ? random.pick(kChunkSizes) : data.length.toString(16);
      const extension = random.chance(8) ? random.pick([';a', ';a=b', ';a="b;c"', '; a', ';', ';=', ';a=', ';a="', ` ;a=${'y'.repeat(200)}`]) : '';
      text += `${size}${extension}${this.end()}${data}${this.end()}`;
    }
    if (this.odd()) return text;
    text += `0${this.end()}`;
    if (this.isLast && random.chance(40)) text += this.header(random.pick(kNames), random.pick(kTexts));
    return text + this.end();
  }

  // Headers, and a body that goes with them, or does not.
  rest(random, hasBody) {
    const headers = [];
    let body = '';
    if (hasBody || this.odd()) {
      if (random.chance(50)) {
        body = 'body of five bytes'.slice(0, random.below(19));
        headers.push(['Content-Length', this.odd() ? random.pick(kLengths) : String(body.length)]);
      } else {
        body = this.chunked();
        headers.push(['Transfer-Encoding', this.odd() ? random.pick(kCodings) : 'chunked']);
      }
      if (this.odd()) headers.push(['Content-Length', random.pick(kLengths)]);
      if (this.odd()) headers.push(['Transfer-Encoding', random.pick(kCodings)]);
    }
    if (random.chance(30)) headers.push(['Connection', random.pick(kConnections)]);
    if (random.chance(6)) headers.push(['Expect', random.pick(['100-continue', '100-Continue', 'x', ''])]);
    if (random.chance(6)) headers.push(['Upgrade', random.pick(['websocket', 'h2c', 'x', ''])]);
    const more = random.below(3);
    for (let i = 0; i < more; i++) headers.push([random.pick(kNames), random.pick(kTexts)]);
    // Not after another message: after 32 headers, and after trailers, Node runs ticks in the middle of what has arrived.
    if (this.isFirst && random.chance(4)) for (let i = 0; i < 1200; i++) headers.push([`h${i}`, 'v']);
    this.isFirst = false;
    let text = '';
    while (headers.length > 0) text += this.header(...headers.splice(random.below(headers.length), 1)[0]);
    return text + this.end() + body;
  }

  request() {
    const { random } = this;
    const method = this.odd() ? random.pick(['get', 'FOO', 'PRI', 'GETX', '', 'G', 'CONNECT', 'M-SEARCH', 'QUERY', 'SOURCE', 'GE\0T', 'UNLOCK']) :
      random.pick(['GET', 'GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH']);
    const target = this.odd() ? random.pick(['*', 'a', '', '/ b', '/\x80', '/\0', 'http://a/b', '//', '/#a', 'a:80', '?', `/${'t'.repeat(300)}`, '/\t', 'http://']) :
      random.pick(['/', '/a?b=c', '/%00', 'http://host/path', '/a;b']);
    const version = this.odd() ? random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/1', 'HTTP/11.1', 'http/1.1', 'HTTP/1.1 ', '', 'RTSP/1.0', 'ICE/1.0', 'HTTP/1.\x31', 'HTTP 1.1']) : 'HTTP/1.1';
    const space = () => (this.odd() ? random.pick(['  ', '\t', '', '\v']) : ' ');
    let text = this.odd() ? random.pick(['\r\n', '\n', '\r', ' ', '\0', '\r\n\r\n']) : '';
    text += `${method}${space()}${target}${space()}${version}${this.end()}`;
    if (!this.odd()) text += this.header('Host', this.odd() ? random.pick(kTexts) : 'a');
    return text + this.rest(random, method === 'POST' || method === 'PUT' || method === 'PATCH');
  }

  response() {
    const { random } = this;
    const version = this.odd() ? random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'http/1.1', 'HTTP/1.', 'ICY', '']) : 'HTTP/1.1';
    const status = this.odd() ? random.pick(['', '99', '1000', 'abc', '20', '000', '101', '999', '-20', '2 0']) :
      random.pick(['200', '200', '404', '204', '304', '100', '102', '103', '301']);
    const reason = random.pick([' OK', ' OK', '', ' ', ' a b', ' \xe9', ' a\rb', ' \0']);
    return `${version} ${status}${this.odd() ? reason : ' OK'}${this.end()}${this.rest(random, random.chance(70))}`;
  }

  // Some bytes are lost, repeated, or others.
  damage(text) {
    const { random } = this;
    const count = 1 + random.below(4);
    for (let i = 0; i < count; i++) {
      const at = random.below(text.length + 1);
      const length = random.chance(70) ? 1 : random.below(20);
      const put = random.pick(['', '', '\r', '\n', '\0', ' ', ':', '0', '\xff', '\r\n', text.slice(at, at + length).repeat(2)]);
      text = text.slice(0, at) + put + text.slice(at + length);
    }
    return text;
  }
}

function pieces(random, text) {
  const how = random.below(4);
  if (how === 0 || text.length < 2) return [text];
  if (how === 1 && text.length < 60) return [...text];
  const cuts = new Set(how === 2 ? [...text.matchAll(/\r?\n/g)].map(({ index }) => index + random.below(3)).slice(0, 40) : []);
  for (let i = random.below(6); i >= 0; i--) cuts.add(1 + random.below(text.length - 1));
  const ends = [...cuts, text.length].filter((end) => end > 0 && end <= text.length).sort((a, b) => a - b);
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end)).filter(({ length }) => length > 0);
}

// ---- What happens ----

const show = (text) => JSON.stringify(text.length > 300 ? `${text.slice(0, 150)}...${text.length}...${text.slice(-100)}` : text);

// Until a connection has nothing to do: what is under way on loopback is done after a few iterations.
async function settle() {
  for (let i = 0; i < 6; i++) await immediate();
}

// Sends the bytes and returns what came back.
async function send(socket, parts, ending, said) {
  let received = '';
  let how = 'open';
  socket.setEncoding('latin1');
  socket.on('data', (data) => { received += data; });
  socket.on('end', () => { how = 'ended'; });
  socket.on('error', () => {});
  socket.setNoDelay(); // each piece leaves at once
  const closed = new Promise((resolve) => socket.on('close', resolve));
  for (const part of parts) {
    if (socket.destroyed || socket.writableEnded) break;
    socket.write(part, 'latin1');
    await settle();
  }
  if (how === 'open' && !socket.destroyed) said('is kept open');
  if (ending === 'end') socket.end();
  await settle();
  await new Promise((resolve) => setTimeout(resolve, ending === 'end' ? 5 : 1));
  socket.destroy();
  await closed;
  await settle();
  said(`received ${show(received.replaceAll(/Date: [^\r]*\r\n/g, ''))}`);
}

function tellMessage(message, said, name) {
  let body = '';
  message.setEncoding('latin1');
  message.on('data', (data) => { body += data; });
  const told = [];
  message.on('error', (error) => told.push(error.code));
  message.on('aborted', () => told.push('aborted'));
  message.on('end', () => told.push('end'));
  message.on('close', () => {
    const { complete, rawTrailers } = message;
    said(`${name} body ${show(body)} ${complete} ${told.join(' ')} ${show(rawTrailers.join('|'))}`);
  });
}

function tellHead({ httpVersion, method, url, statusCode, statusMessage, rawHeaders, headers }) {
  return show([httpVersion, method ?? statusCode, url || statusMessage, ...rawHeaders].join('|')) + Object.keys(headers).length;
}

const kAnswers = {
  ended(request, response, said) {
    tellMessage(request, said, 'request');
    request.on('end', () => response.end(`for ${request.url}`));
  },
  atOnce(request, response, said) {
    tellMessage(request, said, 'request');
    response.end('at once');
  },
  unread(request, response) {
    response.end('unread');
  },
  echo(request, response) {
    request.on('error', () => {});
    request.pipe(response);
  },
  later(request, response, said) {
    setImmediate(() => {
      tellMessage(request, said, 'request');
      response.writeHead(201, { 'X-A': 'b' });
      response.write('later');
      response.end();
    });
  },
  close(request, response) {
    response.setHeader('Connection', 'close');
    response.end('close');
  },
};

async function attackServer(random, bytes, said) {
  const options = {};
  if (random.chance(15)) options.insecureHTTPParser = true;
  if (random.chance(10)) options.maxHeaderSize = random.pick([100, 1000, 4000]);
  if (random.chance(10)) options.requireHostHeader = false;
  if (random.chance(10)) options.joinDuplicateHeaders = true;
  if (random.chance(10)) options.keepAliveTimeout = 0;
  if (random.chance(5)) options.highWaterMark = 10;
  const answer = random.pick(Object.keys(kAnswers));
  const server = http.createServer(options);
  if (random.chance(10)) server.maxRequestsPerSocket = 1 + random.below(3);
  if (random.chance(10)) server.maxHeadersCount = random.pick([1, 3, 10]);
  server.on('request', (request, response) => {
    said(`request ${tellHead(request)}`);
    response.on('error', (error) => said(`response ${error.code}`));
    kAnswers[answer](request, response, said);
  });
  const listens = random.below(8);
  if (listens & 1) {
    server.on('clientError', (error, socket) => {
      said(`clientError ${error.code} ${error.message} ${error.bytesParsed} ${error.rawPacket?.length}`);
      if (socket.writable && !socket.writableEnded) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
  }
  for (const event of ['upgrade', 'connect']) {
    if (!(listens & 2)) break;
    server.on(event, (request, socket, head) => {
      said(`${event} ${tellHead(request)} ${head.length}`);
      socket.on('error', () => {});
      socket.end(`HTTP/1.1 101 ${event}\r\n\r\n`);
    });
  }
  for (const event of ['checkContinue', 'checkExpectation']) {
    if (!(listens & 4)) break;
    server.on(event, (request, response) => {
      said(`${event} ${tellHead(request)}`);
      if (event === 'checkContinue') response.writeContinue();
      kAnswers[answer](request, response, said);
    });
  }
  said(`server ${JSON.stringify(options)} ${answer} ${listens}`);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  let text = '';
  const count = 1 + random.below(4);
  for (let i = 0; i < count; i++) {
    bytes.isLast = i === count - 1;
    text += bytes.request();
  }
  if (random.chance(30)) text = bytes.damage(text);
  const socket = net.connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: true });
  await new Promise((resolve) => socket.on('connect', resolve));
  const parts = pieces(random, text);
  said(`sends ${parts.map(show).join(' ')}`);
  await send(socket, parts, random.pick(['end', 'destroy']), said);
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

async function attackClient(random, bytes, said) {
  let text = '';
  const count = 1 + random.below(3);
  for (let i = 0; i < count; i++) {
    bytes.isLast = i === count - 1;
    text += bytes.response();
  }
  if (random.chance(30)) text = bytes.damage(text);
  const parts = pieces(random, text);
  const ending = random.pick(['end', 'destroy']);
  const server = net.createServer({ allowHalfOpen: true });
  const served = new Promise((resolve) => {
    server.on('connection', (socket) => {
      socket.once('data', () => resolve(send(socket, parts, ending, (line) => said(`peer ${line}`))));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const options = { port: server.address().port, host: '127.0.0.1', method: random.pick(['GET', 'GET', 'POST', 'HEAD', 'CONNECT']) };
  const shown = { method: options.method };
  if (random.chance(20)) shown.insecureHTTPParser = true;
  if (random.chance(15)) shown.maxHeaderSize = random.pick([100, 1000]);
  if (random.chance(15)) shown.joinDuplicateHeaders = true;
  if (random.chance(30)) shown.headers = { 'Connection': 'Upgrade', 'Upgrade': 'x' };
  const agent = random.chance(50) ? new http.Agent({ keepAlive: true }) : false;
  const request = http.request({ ...options, ...shown, agent, setDefaultHeaders: false });
  const isUpgraded = random.chance(50);
  said(`client ${JSON.stringify(shown)} ${Boolean(agent)} ${isUpgraded}`);
  said(`sends ${parts.map(show).join(' ')}`);
  request.on('response', (response) => {
    said(`response ${tellHead(response)}`);
    tellMessage(response, said, 'response');
  });
  request.on('information', (information) => said(`information ${tellHead(information)}`));
  request.on('continue', () => said('continue'));
  request.on('error', (error) => said(`error ${error.code} ${error.message} ${error.bytesParsed} ${error.rawPacket?.length}`));
  request.on('close', () => said(`close ${request.destroyed} ${request.reusedSocket}`));
  for (const event of ['upgrade', 'connect']) {
    if (!isUpgraded) break;
    request.on(event, (response, socket, head) => {
      said(`${event} ${tellHead(response)} ${show(head.toString('latin1'))}`);
      socket.on('error', () => {});
      socket.destroy();
    });
  }
  request.end();
  await served;
  if (agent) agent.destroy();
  await new Promise((resolve) => server.close(resolve));
}

async function main() {
  const first = Number(process.argv[2]);
  const count = Number(process.argv[3]);
  for (let seed = first; seed < first + count; seed++) {
    const random = new Random(seed);
    console.log(`# seed ${seed}`);
    const attack = random.chance(65) ? attackServer : attackClient;
    // What both sides say is printed side by side: their order is that of the machine's speed.
    const lines = new Map();
    const said = (line) => {
      const side = line.split(' ', 1)[0];
      if (!lines.has(side)) lines.set(side, []);
      lines.get(side).push(line);
    };
    await attack(random, new Bytes(random, random.chance(50)), said);
    for (const side of lines.values()) for (const line of side) console.log(line);
  }
}

main();
