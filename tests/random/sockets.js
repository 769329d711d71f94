'use strict';
// Random programs with sockets: servers and clients, TCP and Unix, whose sockets are written, corked, paused, ended and
// destroyed at random moments. See README.md.
//
//   sockets.js FIRST COUNT
//
// What is printed must not depend on the machine's speed, so it is not the order of things but what holds in every order:
// each callback ran once, with a code that this socket can have; 'close' came once and nothing after it; what arrived is a
// prefix of what was sent, and all of it where nothing was destroyed. What a program does to one connection is reported by
// its plan, which is printed first; codes that depend on how far the kernel had come share one name.

const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { Random } = require('./random.js');

const kSizes = [0, 1, 5, 1000, 16_384, 65_536, 70_000, 300_000, 3_000_000];

const byteAt = (index) => (index * 31 + (index >> 8)) & 255;
const pattern = Buffer.from(Array.from({ length: 65_536 }, (_, i) => byteAt(i)));

// `size` bytes of an endless stream of bytes, from `position`.
function piece(position, size) {
  const bytes = Buffer.allocUnsafe(size);
  for (let i = 0; i < size;) {
    const from = (position + i) % pattern.length;
    i += pattern.copy(bytes, i, from, Math.min(pattern.length, from + size - i));
  }
  return bytes;
}

// ---- The plan of a program: what each of two sockets does, and when ----

const kMoments = ['now', 'tick', 'microtask', 'immediate', 'timer', 'data', 'written'];

function planEnd(random) {
  const steps = [];
  const count = 1 + random.below(6);
  for (let i = 0; i < count; i++) {
    const kind = random.pick(['write', 'write', 'write', 'writes', 'corked', 'string', 'pause', 'resume', 'timeout',
      'reads', 'unref']);
    steps.push({ kind, size: random.pick(kSizes), moment: random.pick(kMoments) });
  }
  // One way to end.
  const last = random.pick(['end', 'end', 'endData', 'destroySoon', 'destroy', 'destroyError', 'reset', 'endDestroy']);
  steps.push({ kind: last, size: random.pick(kSizes), moment: random.pick(kMoments) });
  if (random.chance(20)) steps.push({ kind: random.pick(['write', 'end', 'destroy']), size: 5, moment: random.pick(kMoments) });
  return { steps, halfOpen: random.chance(30), flows: random.chance(80) };
}

const kEnds = new Set(['end', 'endData', 'destroySoon', 'destroy', 'destroyError', 'reset', 'endDestroy']);

function planProgram(random) {
  const isUnix = random.chance(40);
  const plan = {
    isUnix,
    isGentle: random.chance(30), // everything is written, read and ended in peace
    fails: random.chance(8), // connects where no server listens
    destroyedWhile: random.chance(10), // destroyed while it connects
    closesServer: random.chance(30), // as soon as the connection is there
    client: planEnd(random),
    server: planEnd(random),
  };
  for (const end of [plan.client, plan.server]) {
    if (plan.isGentle) {
      Object.assign(end, { halfOpen: true, flows: true });
      end.steps = end.steps.slice(0, end.steps.findIndex(({ kind }) => kEnds.has(kind)));
      for (const step of end.steps) if (step.kind === 'pause') step.kind = 'resume';
      end.steps.push({ kind: random.pick(['end', 'endData']), size: random.pick(kSizes), moment: random.pick(kMoments) });
    }
    for (const step of end.steps) if (isUnix && step.kind === 'reset') step.kind = 'destroy'; // TCP only
  }
  return plan;
}

// ---- Running it ----

// Codes that depend on how far the connection had come when it was torn down.
const kBroken = new Set(['ECONNRESET', 'EPIPE', 'ECANCELED', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_OWN']);

function codeName(error) {
  if (error === null || error === undefined) return 'ok';
  const code = error.code ?? error.message;
  return kBroken.has(code) ? 'broken' : code;
}

class End {
  constructor(name, plan, socket) {
    this.name = name;
    this.plan = plan;
    this.socket = socket;
    this.sent = 0; // bytes that write() was called with
    this.received = 0;
    this.wrong = false;
    this.callbacks = []; // { calls, codes } of each write() and end()
    this.events = { end: 0, finish: 0, close: 0, error: 0, afterClose: 0, timeout: 0, drain: 0 };
    this.errors = new Set();
    this.listen();
  }

  listen() {
    const { socket, events } = this;
    for (const event of ['end', 'finish', 'close', 'error', 'timeout']) {
      socket.on(event, (error) => {
        if (events.close > 0) events.afterClose++;
        events[event]++;
        if (event === 'error') this.errors.add(codeName(error));
      });
    }
    if (this.plan.flows) {
      socket.on('data', (data) => {
        if (events.close > 0) events.afterClose++;
        if (!data.equals(piece(this.received, data.length))) this.wrong = true;
        this.received += data.length;
      });
    }
  }

  closed() {
    return new Promise((resolve) => { this.socket.once('close', resolve); });
  }

  callback() {
    const entry = { calls: 0, codes: [] };
    this.callbacks.push(entry);
    return (error) => {
      entry.calls++;
      entry.codes.push(codeName(error));
    };
  }

  write(size, asString) {
    const bytes = piece(this.sent, size);
    if (!this.socket.writableEnded) this.sent += size;
    if (asString) this.socket.write(bytes.toString('latin1'), 'latin1', this.callback());
    else this.socket.write(bytes, this.callback());
  }

  run({ kind, size }) {
    const { socket } = this;
    switch (kind) {
      case 'write': return this.write(size, false);
      case 'string': return this.write(size, true);
      case 'writes':
        for (let i = 0; i < 5; i++) this.write(size >> 2, false);
        return undefined;
      case 'corked':
        socket.cork();
        for (let i = 0; i < 3; i++) this.write(size >> 2, i === 1);
        return socket.uncork();
      case 'pause': return socket.pause();
      case 'resume':
      case 'reads': return socket.resume();
      case 'timeout': return socket.setTimeout(60_000);
      case 'unref': return socket.unref().ref();
      // Once it is destroyed, whether Node calls the callback depends on how far the writes had come.
      case 'end': return socket.destroyed ? socket.end() : socket.end(this.callback());
      case 'endData': {
        const bytes = piece(this.sent, size);
        if (!socket.writableEnded) this.sent += size;
        return socket.destroyed ? socket.end(bytes) : socket.end(bytes, this.callback());
      }
      case 'destroySoon': return socket.destroySoon();
      case 'destroy': return socket.destroy();
      case 'destroyError': return socket.destroy(Object.assign(new Error('own'), { code: 'ERR_OWN' }));
      // After end() Node refuses to reset, and the socket never closes.
      case 'reset':
        return socket.connecting || socket.writableEnded || socket.readableEnded ? socket.destroy() : socket.resetAndDestroy();
      case 'endDestroy':
        this.run({ kind: 'end' });
        return socket.destroy();
    }
  }

  // Waits for the moment of a step; a moment that need not come at all has come with the next immediate.
  moment(name) {
    switch (name) {
      case 'tick': return new Promise((resolve) => { process.nextTick(resolve); });
      case 'microtask': return Promise.resolve();
      case 'immediate': return new Promise((resolve) => { setImmediate(resolve); });
      case 'timer': return new Promise((resolve) => { setTimeout(resolve, 1); });
      case 'data': return this.firstOf('data');
      case 'written': return this.firstOf('drain');
    }
    return undefined;
  }

  firstOf(event) {
    return new Promise((resolve) => {
      const done = () => {
        this.socket.off(event, done);
        resolve();
      };
      if (event !== 'data' || this.plan.flows) this.socket.on(event, done);
      setTimeout(done, 3);
    });
  }

  async perform() {
    for (const step of this.plan.steps) {
      const wait = this.moment(step.moment);
      if (wait !== undefined) await wait;
      this.run(step);
    }
    // Nobody is left waiting: whoever does not read, or only half ends, is destroyed.
    await new Promise((resolve) => { setTimeout(resolve, 20); });
    this.socket.resume();
  }
}

const kIdleRounds = 500;

// Resolves with the promise, or with 'stuck' when nothing has moved in so many rounds of the loop. It does not go by the
// clock: on a busy machine megabytes take any time, but both ends are in this process, so every round moves something if
// it can.
function settled(promise, ...ends) {
  const moved = () => ends.reduce((sum, { socket, events: { end, finish, close } }) =>
    sum + socket.bytesRead + end + finish + close, 0);
  let timer;
  let idle = 0;
  let last = moved();
  const stuck = new Promise((resolve) => {
    timer = setInterval(() => {
      const now = moved();
      idle = now === last ? idle + 1 : 0;
      last = now;
      if (idle === kIdleRounds) resolve('stuck');
    }, 10);
  });
  return Promise.race([promise, stuck]).finally(() => clearInterval(timer));
}

function describe(end, other, gentle) {
  const { events, callbacks } = end;
  const codes = [...new Set(callbacks.flatMap((entry) => entry.codes))].sort();
  return [
    `${end.name}:`,
    `each callback once ${callbacks.every(({ calls }) => calls === 1)}`,
    `close ${events.close} after ${events.afterClose} error at most once ${events.error <= 1}`,
    `content ${!end.wrong} prefix ${end.received <= other.sent}`,
    `known codes ${codes.every((code) => ['ok', 'broken', 'ERR_STREAM_WRITE_AFTER_END', 'ERR_STREAM_ALREADY_FINISHED',
      'ERR_SOCKET_CLOSED_BEFORE_CONNECTION'].includes(code))}`,
    gentle ? `all ${end.received === other.sent} end ${events.end} finish ${events.finish} codes ${codes}` : 'torn',
  ].join(' ');
}

async function connectFails(plan, folder) {
  const where = plan.isUnix ? { path: path.join(folder, 'nobody') } : { port: 1, host: '127.0.0.1' };
  const client = new End('client', plan.client, net.connect(where));
  const closed = client.closed();
  client.write(1000, false);
  client.socket.end(client.callback());
  const outcome = await settled(closed, client);
  const codes = client.callbacks.map(({ codes }) => codes.join()).join(' ');
  console.log(`refused: ${outcome === 'stuck' ? 'hangs' : 'closed'} ${[...client.errors]} ${codes} ` +
    `close ${client.events.close} error ${client.events.error} after ${client.events.afterClose}`);
}

async function destroyedWhileConnecting(plan, where) {
  const client = new End('client', plan.client, net.connect(where));
  const closed = client.closed();
  client.write(1000, false);
  client.socket.end(client.callback());
  await client.moment(plan.client.steps[0].moment === 'tick' ? 'tick' : 'now');
  client.socket.destroy();
  const outcome = await settled(closed, client);
  await new Promise((resolve) => { setImmediate(resolve); });
  const codes = client.callbacks.map(({ codes }) => codes.join()).join(' ');
  console.log(`connecting: ${outcome === 'stuck' ? 'hangs' : 'closed'} ${codes} close ${client.events.close} ` +
    `error ${client.events.error} after ${client.events.afterClose}`);
}

async function runProgram(seed, folder) {
  const plan = planProgram(new Random(seed));
  const say = ({ steps, halfOpen, flows }) => steps.map(({ kind, size, moment }) => `${kind}(${size})@${moment}`).join(' ') +
    `${halfOpen ? ' half-open' : ''}${flows ? '' : ' silent'}`;
  console.log(`# seed ${seed}`);
  console.log(`${plan.isUnix ? 'unix' : 'tcp'} client ${say(plan.client)} | server ${say(plan.server)}`);
  if (plan.fails) return connectFails(plan, folder);

  const server = net.createServer({ allowHalfOpen: plan.server.halfOpen });
  const closed = new Promise((resolve) => { server.once('close', resolve); });
  const where = plan.isUnix ? { path: path.join(folder, `s${seed}`) } : { port: 0, host: '127.0.0.1' };
  await new Promise((resolve) => { server.listen(where, resolve); });
  if (!plan.isUnix) where.port = server.address().port;
  if (plan.destroyedWhile) {
    server.on('connection', (socket) => socket.on('error', () => {}).resume().destroy());
    await destroyedWhileConnecting(plan, where);
    server.close();
    if (await settled(closed) === 'stuck') console.log('server hangs');
    return undefined;
  }

  const accepted = new Promise((resolve) => { server.once('connection', resolve); });
  const client = new End('client', plan.client, net.connect({ ...where, allowHalfOpen: plan.client.halfOpen }));
  const clientClosed = client.closed();
  const served = new End('server', plan.server, await accepted);
  const servedClosed = served.closed();
  if (plan.closesServer) server.close();
  await Promise.all([client.perform(), served.perform()]);
  if (!plan.closesServer) server.close();
  // Half-open sides that have not ended yet do so now.
  for (const { socket } of [client, served]) if (!socket.writableEnded) socket.end();
  const outcome = await settled(Promise.all([clientClosed, servedClosed, closed]), client, served);
  // Callbacks of a write that came after the end.
  await new Promise((resolve) => { setImmediate(resolve); });
  console.log(outcome === 'stuck' ? 'hangs' : 'all closed');
  console.log(describe(client, served, plan.isGentle));
  console.log(describe(served, client, plan.isGentle));
  return undefined;
}

async function main() {
  const [first, count] = process.argv.slice(2).map(Number);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-sockets-'));
  try {
    for (let seed = first; seed < first + count; seed++) await runProgram(seed, folder);
    await new Promise((resolve) => { setImmediate(resolve); });
    const left = process.getActiveResourcesInfo().filter((name) => /Connect|Write|Shutdown|TCPSocket/.test(name));
    console.log(`requests and sockets left: ${left.length}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();
