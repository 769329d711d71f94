'use strict';
// Messages between a process and its child: random values, small and large, in both forms of serialization; and a channel whose bytes come
// in random pieces, right and wrong ones. What the child has received, and what comes back.

const { fork, spawn } = require('node:child_process');
const { createHash } = require('node:crypto');
const { once } = require('node:events');
const { serialize } = require('node:v8');
const util = require('node:util');
const { Random } = require('./random.js');
const { value } = require('./values.js');

const kSizes = [1, 100, 4095, 4096, 65_535, 65_536, 65_537, 200_000, 1_000_003];

function show(shown) {
  const all = util.inspect(shown, { depth: 6, maxStringLength: 100, maxArrayLength: 20, breakLength: Infinity, customInspect: false });
  // A view lies in what was read at once.
  const text = all.replace(/\[byteOffset\]: \d+, \[buffer\]: ArrayBuffer \{[^}]*\}/g, '[buffer]');
  return text.length < 400 ? text : `${text.slice(0, 300)}... ${text.length}`;
}

function digest(bytes) {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

// ---- The child ----

function describe(message) {
  if (typeof message === 'string') return `text ${message.length} ${digest(message)}`;
  return ArrayBuffer.isView(message) ? `${message.constructor.name} ${message.byteLength} ${digest(message)}` : show(message);
}

function answer(message) {
  if (message === 'the end') return process.send('the end');
  process.send(describe(message));
  process.send(message);
}

// ---- With fork() ----

function large(random, serialization) {
  const size = random.pick(kSizes) + random.below(3);
  switch (random.below(serialization === 'json' ? 3 : 5)) {
    case 0: return 'x'.repeat(size);
    case 1: return '\u00fc\u{1f600}'.repeat(size / 2);
    case 2: return '"\\\n'.repeat(size / 3);
    case 3: return new Uint8Array(size).fill(random.below(256));
    default: return Buffer.alloc(size, 'rondo');
  }
}

function message(random, serialization) {
  if (random.chance(30)) return large(random, serialization);
  if (random.chance(3)) return { cmd: random.pick(['NODE_', 'NODE_TEST', 'other', 5]), value: 1 };
  return value(random, 3);
}

// One of each form serves all programs.
const children = new Map();

function childOf(serialization) {
  if (!children.has(serialization)) children.set(serialization, fork(__filename, ['child'], { serialization }));
  return children.get(serialization);
}

async function exchange(random) {
  const serialization = random.pick(['json', 'advanced']);
  const child = childOf(serialization);
  const received = [];
  const ended = new Promise((resolve) => {
    child.on('message', (it) => it === 'the end' ? resolve() : received.push(typeof it === 'string' && it.length < 2000 ? it : describe(it)));
  });
  for (let left = 1 + random.below(8); left > 0; left--) {
    try {
      child.send(message(random, serialization), (error) => { if (error) received.push(error.code); });
    } catch (error) {
      console.log(`${serialization} ${error.name} ${error.code} ${error.message.split('\n')[0]}`);
    }
  }
  child.send('the end');
  await ended;
  child.removeAllListeners('message');
  for (const each of received) console.log(`${serialization} ${each}`);
}

// ---- The bytes of a channel ----

function frame(payload) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  return Buffer.concat([length, payload]);
}

function bytesOf(random, serialization) {
  const it = random.pick(['text', { a: [1, null] }, 'x'.repeat(random.pick(kSizes)), '\u{1f600}'.repeat(random.below(50)), 5]);
  if (serialization === 'advanced') return frame(serialize(it));
  return Buffer.from(`${JSON.stringify(it)}\n`);
}

function wrongBytesOf(random, serialization) {
  if (serialization === 'json') return Buffer.from(random.pick(['{\n', '\n', 'nothing\n', '[1,]\n', '"\u0001"\n', '{"cmd":"NODE_HANDLE","type":"net.Socket"}\n']));
  return random.pick([frame(Buffer.from([1, 2, 3])), frame(Buffer.alloc(0)), frame(Buffer.from([0xff, 0x0f])), frame(Buffer.from([0xff, 0x0f, 0x5c, 0x09]))]);
}

async function pieces(random) {
  const serialization = random.pick(['json', 'advanced']);
  const child = spawn(process.execPath, [__filename, 'listener'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_CHANNEL_FD: '3', NODE_CHANNEL_SERIALIZATION_MODE: serialization },
  });
  const errors = [];
  child.stderr.setEncoding('utf8').on('data', (text) => errors.push(text));
  const channel = child.stdio[3];
  const answers = [];
  channel.on('data', (chunk) => answers.push(chunk)).on('error', () => {});
  const list = Array.from({ length: 1 + random.below(5) }, () => bytesOf(random, serialization));
  if (random.chance(30)) list.splice(random.below(list.length + 1), 0, wrongBytesOf(random, serialization));
  if (random.chance(20)) list.push(bytesOf(random, serialization).subarray(0, -1 - random.below(3)));
  for (let rest = Buffer.concat(list); rest.length > 0;) {
    const size = random.pick([1, 2, 3, 5, 100, 4096, 65_536, 1_000_000]);
    channel.write(rest.subarray(0, size));
    rest = rest.subarray(size);
    if (random.chance(20) && channel.writable) await new Promise(setImmediate);
  }
  channel.end();
  const [code, signal] = await once(child, 'close');
  const all = Buffer.concat(answers);
  const error = errors.join('').match(/^\w*Error: [^\n]*/m)?.[0];
  // Of a child that has failed the last answers may be lost.
  console.log(`pieces ${serialization} ${code} ${signal} ${error ?? `${all.length} ${digest(all)}`}`);
}

async function main() {
  const first = Number(process.argv[2]);
  const count = Number(process.argv[3]);
  for (let seed = first; seed < first + count; seed++) {
    const random = new Random(seed);
    console.log(`# seed ${seed}`);
    if (random.chance(15)) await pieces(random);
    else await exchange(random);
  }
  for (const child of children.values()) child.disconnect();
}

if (process.argv[2] === 'child') process.on('message', answer);
// Its answers are so small that the kernel takes them before the channel ends.
else if (process.argv[2] === 'listener') process.on('message', (it) => process.send(describe(it)));
else main();
