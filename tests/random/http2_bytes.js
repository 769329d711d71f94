'use strict';
// HTTP/2 as attackers send it: random frames, right and wrong ones, in random pieces. See README.md.
//
//   http2_bytes.js FIRST COUNT
//
// Each program sends frames on one connection, to a server or to a client, and prints what came of them: what the program
// saw (streams, data, errors), which frames the peer got, and how the connection ended. The peer waits after each piece
// until nothing happens any more, so that both runtimes read the same pieces. Of frames that arrive together Node reports
// while it reads them, and rondo afterwards, so that it matters which of them ends the others: there, only that both
// survive is compared.

const http2 = require('node:http2');
const net = require('node:net');
const { setImmediate: immediate } = require('node:timers/promises');
const { Random } = require('./random.js');

const kTypes = ['DATA', 'HEADERS', 'PRIORITY', 'RST_STREAM', 'SETTINGS', 'PUSH_PROMISE', 'PING', 'GOAWAY', 'WINDOW_UPDATE',
  'CONTINUATION', 'ALTSVC', 'unknown', 'ORIGIN'];
const kEndStream = 1;
const kAck = 1;
const kEndHeaders = 4;
const kPadded = 8;
const kPriority = 32;

function frame(type, flags, stream, payload = Buffer.alloc(0), length = payload.length) {
  const bytes = Buffer.alloc(9 + payload.length);
  bytes.writeUIntBE(length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream >>> 0, 5);
  payload.copy(bytes, 9);
  return bytes;
}

function number(value, size = 4) {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}

// ---- Almost HPACK ----

// A field as a literal that the table does not keep.
function literal(name, value) {
  const text = (string) => {
    const bytes = Buffer.from(string, 'latin1');
    if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
    const rest = bytes.length - 127;
    return Buffer.concat([Buffer.from([127, (rest & 127) | 128, rest >> 7]), bytes]);
  };
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

const kRequest = [[':method', 'GET'], [':path', '/'], [':scheme', 'http'], [':authority', 'a']];
const kResponse = [[':status', '200']];
const kOddFields = [['X-Upper', 'a'], ['connection', 'close'], ['te', 'gzip'], ['te', 'trailers'], ['transfer-encoding', 'chunked'],
  ['content-length', '3'], ['content-length', 'x'], ['content-length', '-1'], ['', 'a'], ['a b', 'c'], ['x', 'a\r\nb'], ['x', 'a\0b'],
  ['x', ' a '], [':method', 'POST'], [':unknown', 'a'], [':status', '200'], ['host', 'b'], ['cookie', 'a=b'], ['cookie', 'c=d'],
  ['x', 'y'.repeat(300)], ['set-cookie', 'a'], ['upgrade', 'x'], ['keep-alive', 'x'], ['proxy-connection', 'x'], ['x', '\xff'],
  ['date', 'now'], ['expect', '100-continue'], ['priority', 'u=1'], [':path', ''], [':protocol', 'websocket'], ['__proto__', 'a']];
const kOddBytes = ['80', 'ff', 'be', '3fe11f', '20', '3f', '00', '0001', '40', '82', '88', 'ffffffffff7f', '0f00', '1f8f7f', '418cf1e3c2'];

class Frames {
  constructor(random, isWild, fields) {
    this.random = random;
    this.oddity = isWild ? 15 : 3; // per cent
    this.fields = fields;
    this.next = 1;
    this.streams = [];
  }

  odd() { return this.random.chance(this.oddity); }

  stream() {
    const { random } = this;
    if (this.odd()) return random.pick([0, 2, 4, 2 ** 31 - 1, 2 ** 31 + 1, this.next, this.next + 2]);
    return this.streams.length > 0 ? random.pick(this.streams) : this.next;
  }

  block(fields) {
    const { random } = this;
    fields = [...fields];
    if (random.chance(10) && fields.length > 1) fields[0] = [':method', random.pick(['POST', 'HEAD', 'CONNECT', 'get', ''])];
    if (this.odd() && fields.length > 0) fields.splice(random.below(fields.length), 1);
    for (let i = random.below(3); i > 0; i--) {
      const field = this.odd() ? random.pick(kOddFields) : [`x${i}`, 'y'];
      fields.splice(this.odd() ? random.below(fields.length + 1) : fields.length, 0, field);
    }
    const parts = fields.map(([name, value]) => literal(name, value));
    if (this.odd()) parts.splice(random.below(parts.length + 1), 0, Buffer.from(random.pick(kOddBytes), 'hex'));
    return Buffer.concat(parts);
  }

  padded(payload) {
    if (!this.random.chance(10)) return [0, payload];
    const size = this.odd() ? this.random.pick([255, 200]) : this.random.below(10);
    return [kPadded, Buffer.concat([number(size, 1), payload, Buffer.alloc(this.odd() ? 1 : Math.min(size, 20), this.odd() ? 1 : 0)])];
  }

  headers(stream, fields, end) {
    const { random } = this;
    const block = this.block(fields);
    const [flags, payload] = this.padded(random.chance(10) ? Buffer.concat([number(this.odd() ? stream : 0), number(9, 1), block]) : block);
    const hasPriority = payload.length > block.length && flags === 0;
    const all = (end ? kEndStream : 0) | flags | (hasPriority ? kPriority : 0);
    if (!random.chance(10) || hasPriority || flags !== 0) return [frame(1, all | (this.odd() ? 0 : kEndHeaders), stream, payload)];
    const at = random.below(block.length + 1);
    return [frame(1, all, stream, block.subarray(0, at)), frame(9, this.odd() ? 0 : kEndHeaders, this.odd() ? stream + 2 : stream, block.subarray(at))];
  }

  some() {
    const { random } = this;
    const stream = this.stream();
    switch (random.below(16)) {
      case 0: case 1: case 2: case 3: case 4: {
        const isNew = this.fields === kRequest && !this.odd();
        const id = isNew ? this.next : stream;
        if (isNew) {
          this.streams.push(id);
          this.next += 2;
        }
        return this.headers(id, this.fields, random.chance(50));
      }
      case 5: case 6: case 7: {
        const [flags, payload] = this.padded(Buffer.alloc(random.pick([0, 1, 3, 50, 1000]), 'd'));
        return [frame(0, flags | (random.chance(30) ? kEndStream : 0), stream, payload)];
      }
      case 8: return this.headers(stream, [['x-trailer', 'y']], random.chance(80));
      case 9: return [frame(3, 0, stream, number(random.pick([0, 1, 2, 5, 7, 8, 11, 99]), this.odd() ? 3 : 4))];
      case 10: {
        if (random.chance(30)) return [frame(4, kAck, this.odd() ? 1 : 0, this.odd() ? number(0) : undefined)];
        const entry = Buffer.concat([number(1 + random.below(9), 2), number(random.pick([0, 1, 2, 100, 16_384, 65_535, 2 ** 24, 2 ** 31 - 1, 2 ** 31]), 4)]);
        return [frame(4, 0, this.odd() ? 1 : 0, this.odd() ? entry.subarray(1) : entry)];
      }
      case 11: return [frame(6, this.odd() ? kAck : 0, this.odd() ? 1 : 0, Buffer.alloc(this.odd() ? 7 : 8, 'p'))];
      case 12: return [frame(8, 0, random.chance(40) ? 0 : stream, number(this.odd() ? random.pick([0, 2 ** 31 - 1, 2 ** 31]) : random.pick([1, 1000])).subarray(this.odd() ? 1 : 0))];
      case 13: return [frame(2, 0, stream, Buffer.concat([number(this.odd() ? stream : 0), number(1, this.odd() ? 2 : 1)]))];
      case 14: return this.odd() || random.chance(20) ? [frame(7, 0, this.odd() ? 1 : 0, Buffer.concat([number(random.pick([0, 1, 2 ** 31 - 1])), number(random.pick([0, 2, 11])), Buffer.from('debug')]))] : [];
      default: return this.odd() ? [frame(random.pick([5, 9, 10, 11, 12, 200]), random.below(256), stream, Buffer.alloc(random.pick([0, 4, 8, 20]), random.pick([0, 2, 'o'])))] : [];
    }
  }

  connection(preface) {
    const { random } = this;
    const frames = [];
    if (!this.odd()) frames.push(frame(4, 0, 0, random.chance(30) ? Buffer.from('000300000064', 'hex') : undefined));
    const count = 1 + random.below(12);
    for (let i = 0; i < count; i++) frames.push(...this.some());
    if (random.chance(10) && frames.length > 0) {
      const which = random.below(frames.length);
      frames[which] = this.damage(frames[which]);
    }
    const first = this.odd() ? Buffer.from(random.pick([preface.slice(0, 10), preface.replace('2.0', '1.1'), '', 'GET / HTTP/1.1\r\n\r\n'])) : Buffer.from(preface);
    return [first, ...frames];
  }

  damage(bytes) {
    const { random } = this;
    if (bytes.length === 0) return bytes;
    bytes = Buffer.from(bytes);
    for (let i = random.below(3); i >= 0; i--) bytes[random.below(bytes.length)] = random.below(256);
    return random.chance(30) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
  }
}

// Each frame by itself, whole or in pieces; or all at once.
function pieces(random, frames, isBatch) {
  if (isBatch) return [Buffer.concat(frames)];
  const isCut = random.chance(30);
  const parts = [];
  for (const bytes of frames) {
    for (let at = 0; at < bytes.length;) {
      const end = isCut ? Math.min(bytes.length, at + 1 + random.below(60)) : bytes.length;
      parts.push(bytes.subarray(at, end));
      at = end;
    }
  }
  return parts;
}

// ---- What happens ----

async function settle() {
  for (let i = 0; i < 8; i++) await immediate();
}

// The frames in what was received; of some the payload.
function describe(bytes, hasPreface) {
  const told = [];
  let at = hasPreface ? 24 : 0;
  while (at + 9 <= bytes.length) {
    const length = bytes.readUIntBE(at, 3);
    const type = kTypes[bytes[at + 3]] ?? bytes[at + 3];
    const payload = bytes.subarray(at + 9, at + 9 + length);
    const isShown = ['RST_STREAM', 'SETTINGS', 'PING', 'GOAWAY', 'WINDOW_UPDATE'].includes(type);
    // The length of headers depends on the date in them.
    const detail = isShown ? payload.toString('hex') : type === 'HEADERS' ? '' : length;
    told.push(`${type}/${bytes[at + 4]}/${bytes.readUInt32BE(at + 5)}:${detail}`);
    at += 9 + length;
  }
  // Of a connection that the peer has broken, only that it is over: Node answers some of what came before.
  const broken = told.find((each) => each.startsWith('GOAWAY') && each.split(':')[1].slice(8, 16) !== '00000000');
  return broken ?? told.join(' ');
}

async function send(socket, parts, ending, said, hasPreface) {
  const received = [];
  let how = 'open';
  socket.on('data', (data) => received.push(data));
  socket.on('end', () => { how = 'ended'; });
  socket.on('error', () => {});
  socket.setNoDelay(); // each piece leaves at once
  const closed = new Promise((resolve) => socket.on('close', resolve));
  for (const part of parts) {
    if (socket.destroyed || socket.writableEnded || how !== 'open') break;
    socket.write(part);
    await settle();
  }
  if (how === 'open' && !socket.destroyed) said('is kept open');
  if (ending === 'end') socket.end();
  await settle();
  await new Promise((resolve) => setTimeout(resolve, ending === 'end' ? 5 : 1));
  socket.destroy();
  await closed;
  await settle();
  said(`received ${describe(Buffer.concat(received), hasPreface)}`);
}

const show = (error) => (error ? `${error.code} ${error.message}` : 'no error');
const shown = ({ date, ...headers }) => JSON.stringify(headers);

function tellStream(stream, name, said) {
  let size = 0;
  stream.on('data', (data) => { size += data.length; });
  stream.on('trailers', (headers) => said(`${name} trailers ${shown(headers)}`));
  stream.on('aborted', () => said(`${name} aborted`));
  stream.on('error', (error) => said(`${name} ${show(error)}`));
  stream.on('end', () => said(`${name} end ${size}`));
  stream.on('close', () => said(`${name} close ${stream.rstCode} ${stream.aborted}`));
}

function tellSession(session, said) {
  session.on('error', (error) => said(`session ${show(error)}`));
  session.on('frameError', (type, code, id) => said(`session frameError ${type} ${code} ${id}`));
  session.on('goaway', (code, last, data) => said(`session goaway ${code} ${last} ${data}`));
  session.on('remoteSettings', (settings) => said(`session settings ${JSON.stringify(settings)}`));
  session.on('ping', (data) => said(`session ping ${data}`));
  session.on('altsvc', (value, origin, id) => said(`session altsvc ${value} ${origin} ${id}`));
  session.on('origin', (origins) => said(`session origin ${origins}`));
  session.on('close', () => said('session close'));
}

async function attackServer(random, frames, said, isBatch) {
  const options = {};
  if (random.chance(10)) options.maxHeaderListPairs = 5;
  if (random.chance(10)) options.maxSessionInvalidFrames = random.pick([1, 5]);
  if (random.chance(10)) options.strictSingleValueFields = false;
  if (random.chance(10)) options.settings = { enableConnectProtocol: true, maxConcurrentStreams: 2 };
  const answers = random.pick(['end', 'atOnce', 'later', 'compat', 'reset']);
  const server = http2.createServer(options);
  const sessions = new Set();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    tellSession(session, said);
  });
  server.on('sessionError', (error) => said(`server sessionError ${show(error)}`));
  server.on('unknownProtocol', () => said('server unknownProtocol'));
  if (answers === 'compat') {
    server.on('request', (request, response) => {
      said(`stream${request.stream.id} request ${request.method} ${request.url} ${shown(request.headers)}`);
      tellStream(request.stream, `stream${request.stream.id}`, said);
      response.end('compat');
    });
  } else {
    server.on('stream', (stream, headers, flags) => {
      const name = `stream${stream.id}`;
      said(`${name} headers ${shown(headers)} ${flags}`);
      tellStream(stream, name, said);
      const answer = () => {
        if (stream.destroyed || stream.closed || stream.headersSent) return;
        stream.respond({ 'x-a': 'b' });
        stream.end('answer');
      };
      if (answers === 'end') stream.on('end', answer);
      else if (answers === 'later') setImmediate(answer);
      else if (answers === 'reset') stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
      else answer();
    });
  }
  said(`server ${JSON.stringify(options)} ${answers}`);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const parts = pieces(random, frames.connection('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), isBatch);
  said(`sends ${parts.map((part) => part.toString('hex')).join(' ').slice(0, 1000)}`);
  const socket = net.connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: true });
  await new Promise((resolve) => socket.on('connect', resolve));
  await send(socket, parts, random.pick(['end', 'destroy']), said, false);
  for (const session of sessions) session.destroy();
  await new Promise((resolve) => server.close(resolve));
}

async function attackClient(random, frames, said, isBatch) {
  const parts = pieces(random, frames.connection(''), isBatch);
  const ending = random.pick(['end', 'destroy']);
  const server = net.createServer({ allowHalfOpen: true });
  const served = new Promise((resolve) => {
    server.on('connection', (socket) => {
      socket.once('data', async (data) => {
        socket.pause();
        socket.unshift(data);
        await settle();
        resolve(send(socket, parts, ending, (line) => said(`peer ${line}`), true));
      });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  said(`sends ${parts.map((part) => part.toString('hex')).join(' ').slice(0, 1000)}`);
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  tellSession(client, said);
  client.on('stream', (stream, headers) => {
    said(`pushed ${shown(headers)}`);
    tellStream(stream, `pushed${stream.id}`, said);
  });
  const count = 1 + random.below(3);
  for (let i = 0; i < count; i++) {
    const stream = client.request({ ':path': `/${i}` }, { endStream: random.chance(70) });
    const name = `stream${i}`;
    frames.streams.push(2 * i + 1);
    stream.on('response', (headers, flags) => said(`${name} response ${shown(headers)} ${flags}`));
    stream.on('headers', (headers) => said(`${name} information ${shown(headers)}`));
    stream.on('push', (headers) => said(`${name} push ${shown(headers)}`));
    tellStream(stream, name, said);
  }
  await served;
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
}

async function main() {
  const first = Number(process.argv[2]);
  const count = Number(process.argv[3]);
  for (let seed = first; seed < first + count; seed++) {
    const random = new Random(seed);
    console.log(`# seed ${seed}`);
    const isServer = random.chance(65);
    const frames = new Frames(random, random.chance(50), isServer ? kRequest : kResponse);
    if (!isServer) frames.streams.push(1, 3);
    // What happened to each stream, to the session and to the peer: between them there is no fixed order.
    const lines = new Map();
    const said = (line) => {
      const side = line.split(' ', 1)[0];
      if (!lines.has(side)) lines.set(side, []);
      lines.get(side).push(line);
    };
    const isBatch = random.chance(25);
    await (isServer ? attackServer : attackClient)(random, frames, said, isBatch);
    if (isBatch) lines.clear();
    for (const side of [...lines.keys()].sort()) for (const line of lines.get(side)) console.log(line);
  }
}

main();
