'use strict';
// Answers of name servers: records of all types, right ones and damaged ones, over UDP and, after an answer that says it was cut, over TCP.
// Printed is what dns.Resolver makes of them, or the code of the error.

const dgram = require('node:dgram');
const dns = require('node:dns');
const net = require('node:net');
const { Random } = require('./random.js');

const kTypes = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, NAPTR: 35, TLSA: 52, ANY: 255, CAA: 257 };
const kNames = ['example.org', 'a.b.c.example.org', 'x', '_sip._udp.example.org', 'xn--bcher-kva.example', 'UPPER.Example.ORG', '*.example.org'];
const kPointerToQuestion = Buffer.from([0xc0, 12]);

const u16 = (number) => Buffer.from([number >> 8 & 255, number & 255]);
const u32 = (number) => Buffer.concat([u16(number >>> 16), u16(number)]);
const join = (...pieces) => Buffer.concat(pieces.flat());
const text = (string) => join(Buffer.from([string.length]), Buffer.from(string, 'latin1'));
const name = (string) => join(string.split('.').map(text), Buffer.from([0]));

// The data of one record.
function recordData(type, random) {
  const someName = () => (random.chance(80) ? name(random.pick(kNames)) : random.chance(70) ? kPointerToQuestion : Buffer.from([0]));
  const number = (limit) => random.pick([0, 1, random.below(limit), limit - 1]);
  const someText = () => random.pick(['', 'v=spf1 -all', 'caf\xe9 "q" \\', 'x'.repeat(255), 'a;b']);
  switch (type) {
    case 'A': return Buffer.from([10, random.below(256), 0, random.below(256)]);
    case 'AAAA': return Buffer.from(Array.from({ length: 16 }, (_, i) => (i < 2 ? 0x20 : random.chance(60) ? 0 : random.below(256))));
    case 'NS': case 'CNAME': case 'PTR': return someName();
    case 'SOA': return join(someName(), someName(), [1, 2, 3, 4, 5].map(() => u32(number(2 ** 32))));
    case 'MX': return join(u16(number(65536)), someName());
    case 'TXT': return join(Array.from({ length: 1 + random.below(4) }, () => text(someText())));
    case 'SRV': return join(u16(number(65536)), u16(number(65536)), u16(number(65536)), someName());
    case 'NAPTR': return join(u16(number(65536)), u16(number(65536)), text(random.pick(['s', 'u', ''])), text('SIP+D2U'),
                              text(random.pick(['', '!^.*$!sip:a@b.c!'])), someName());
    case 'TLSA': return join(Buffer.from([random.below(4), random.below(2), random.below(3)]),
                             Buffer.alloc(random.pick([0, 1, 32, 64]), random.below(256)));
    default: return join(Buffer.from([random.pick([0, 128])]), text(random.pick(['issue', 'issuewild', 'iodef'])),
                         Buffer.from(random.pick(['', 'ca.example.org; a=b', 'mailto:a@b.c'])));
  }
}

function makeRecord(type, random) {
  const data = recordData(type, random);
  const owner = random.chance(90) ? kPointerToQuestion : name(random.pick(kNames));
  return join(owner, u16(kTypes[type]), u16(1), u32(random.pick([0, 60, 86400, 0x7fffffff])), u16(data.length), data);
}

function damage(bytes, random) {
  bytes = Buffer.from(bytes);
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(bytes.length);
    switch (random.below(5)) {
      case 0: bytes[at] ^= 1 << random.below(8); break;
      case 1: bytes[at] = random.pick([0, 1, 0x3f, 0xc0, 0xff]); break;
      case 2: bytes = bytes.subarray(0, at + 1); break;
      case 3: bytes = join(bytes.subarray(0, at), Buffer.alloc(1 + random.below(8), random.below(256)), bytes.subarray(at)); break;
      default: bytes = join(bytes, bytes.subarray(at));
    }
  }
  // A name that goes on in the id of the query would be another one each time.
  for (let i = 0; i + 1 < bytes.length; i++) if (bytes[i] === 0xc0 && bytes[i + 1] < 2) bytes[i + 1] = 12;
  return bytes;
}

// What is answered to a query, but for its id and its question: drawn before anything is asked, so that it does not
// depend on how often the resolver asks.
function drawAnswer(type, random) {
  const types = Object.keys(kTypes).filter((one) => one !== 'ANY');
  const many = random.chance(10);
  const count = many ? 60 + random.below(400) : random.below(5);
  const records = [];
  const of = (usual) => (type === 'ANY' || random.chance(15) ? random.pick(types) : usual);
  for (let i = 0; i < count; i++) records.push(makeRecord(of(type), random));
  let body = join(records);
  if (random.chance(40) && body.length > 0) body = damage(body, random);
  const wrongCount = random.chance(8) ? random.pick([-1, 1, 1000]) : 0;
  const code = random.chance(8) ? random.pick([2, 3, 4, 5, 9]) : 0;
  if (code !== 0) body = Buffer.alloc(0);
  return { body, count: code === 0 ? Math.max(0, count + wrongCount) & 0xffff : 0, code,
    overTcp: body.length > 480 || random.chance(15), forged: random.chance(15) ? random.below(3) : undefined };
}

// What somebody else sends before the name server does.
function forge(query, how) {
  const forged = join(query.subarray(0, 2), u16(0x8180), query.subarray(4));
  if (how === 0) forged[0] ^= 0x55; // of another question
  if (how === 1) forged[13] ^= 1; // of another name
  if (how === 2) forged[2] &= 0x7f; // a question
  return forged;
}

function answerTo(query, { body, count, code }, isCut) {
  const endOfQuestion = query.indexOf(0, 12) + 5;
  const flags = 0x8180 | code | (isCut ? 0x200 : 0);
  return join(query.subarray(0, 2), u16(flags), u16(1), u16(isCut ? 0 : count), u16(0), u16(0), query.subarray(12, endOfQuestion), isCut ? [] : body);
}

let current;
const tcp = net.createServer((socket) => {
  let pending = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (data) => {
    pending = join(pending, data);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const size = pending.readUInt16BE(0);
      const answer = answerTo(pending.subarray(2, 2 + size), current, false);
      pending = pending.subarray(2 + size);
      const whole = join(u16(answer.length), answer);
      const middle = whole.length >> 1;
      socket.write(whole.subarray(0, middle));
      setImmediate(() => socket.write(whole.subarray(middle)));
    }
  });
});
const udp = dgram.createSocket('udp4', (query, { port, address }) => {
  if (current.forged !== undefined) udp.send(forge(query, current.forged), port, address);
  udp.send(answerTo(query, current, current.overTcp), port, address);
});

const show = (value) => JSON.stringify(value, (_, one) => (one instanceof ArrayBuffer ? Buffer.from(one).toString('hex') : one));

async function runProgram(seed, resolver) {
  const random = new Random(seed);
  for (let i = 0; i < 6; i++) {
    const type = random.pick(Object.keys(kTypes));
    current = drawAnswer(type, random);
    const withTtl = random.chance(50);
    let line;
    try {
      const result = type === 'A' ? await resolver.resolve4('example.org', { ttl: withTtl }) : type === 'AAAA' ?
        await resolver.resolve6('example.org', { ttl: withTtl }) : await resolver.resolve('example.org', type);
      // Node leaves holes before records of TLSA; we do not.
      line = show(Array.isArray(result) ? result.flat(0) : result);
    } catch (error) {
      line = `${error.code} ${error.syscall} ${error.hostname}`;
    }
    console.log(type, line.length > 3000 ? `${line.slice(0, 1500)} ... ${line.length}` : line);
  }
}

async function main() {
  const first = Number(process.argv[2]);
  const count = Number(process.argv[3]);
  const { port } = udp.address();
  const resolver = new dns.promises.Resolver({ timeout: 10_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  for (let seed = first; seed < first + count; seed++) {
    console.log(`# seed ${seed}`);
    await runProgram(seed, resolver);
  }
  process.exit();
}

// A port that is free for both kinds.
function listen() {
  tcp.once('listening', () => {
    udp.once('error', () => tcp.close(listen));
    udp.bind(tcp.address().port, '127.0.0.1', main);
  });
  tcp.listen(0, '127.0.0.1');
}

listen();
