'use strict';
// Random small programs under random resource limits (RLIMIT_NOFILE, RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_NPROC).
//
//   rondo limits_check.js [--seconds=60] [--seed=1] [--count=N]     runs the programs from this seed on
//   rondo limits_check.js --program=SEED                            runs one of them, under the limits it finds
//
// Each program runs in a process of its own. It has to end by itself with exit code 0: not by a signal, not after
// the time limit. Each of its operations has to be settled once, by a result or by an error with a code. What is not
// ours is recognised by its message: V8 and the C library abort when there is no memory at all for them, the loader
// ends the process when there is none for the program itself. A process that cannot even start says so and ends
// with exit code 1.
//
// RLIMIT_NPROC does not bind root. There, programs that have this limit run as another user (setpriv).

const child_process = require('node:child_process');
const dns = require('node:dns');
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { PassThrough, pipeline, Readable } = require('node:stream');
const timers = require('node:timers/promises');
const { parseArgs } = require('node:util');
const vm = require('node:vm');
const { Random } = require('./random.js');

const kTimeoutMs = 300_000; // of a machine that is busy with other things, too
const kAtATime = 2;
const kFirstUser = 61_000; // users of our own: the limit counts all processes of a user

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: 'Infinity' },
    program: { type: 'string' },
    'no-address-limit': { type: 'boolean' }, // AddressSanitizer reserves terabytes
  },
});

// ---- The programs ----

// `done(error)` settles an operation.
const kOperations = {
  timer: (random, done) => { setTimeout(done, random.below(5)); },
  immediate: (random, done) => { setImmediate(done); },
  tick: (random, done) => { process.nextTick(done); },
  promiseTimer: (random, done) => { timers.setTimeout(random.below(5)).then(() => done(), done); },
  abortTimeout(random, done) {
    const alive = setInterval(() => {}, 1000); // the signal's own timer keeps no program running
    AbortSignal.timeout(random.below(5)).addEventListener('abort', () => {
      clearInterval(alive);
      done();
    });
  },

  stat: (random, done) => { fs.stat(__filename, done); },
  readFile: (random, done) => { fs.readFile(__filename, done); },
  readFilePromise: (random, done) => { fs.promises.readFile(__filename).then(() => done(), done); },
  writeFile(random, done) {
    const bytes = Buffer.alloc(random.below(3_000_000), 1);
    const file = scratch();
    fs.writeFile(file, bytes, (error) => {
      if (!error && fs.statSync(file).size !== bytes.length) throw new Error('writeFile: bytes are missing');
      done(error);
    });
  },
  appendFile: (random, done) => { fs.appendFile(scratch(), Buffer.alloc(random.below(2_000_000)), done); },
  writeFileSync(random, done) {
    fs.writeFileSync(scratch(), Buffer.alloc(random.below(2_000_000)));
    done();
  },
  copyFile: (random, done) => { fs.copyFile(__filename, scratch(), done); },
  directories(random, done) {
    const folder = scratch();
    fs.mkdir(path.join(folder, 'a/b/c'), { recursive: true }, (error) => {
      if (error) return done(error);
      fs.readdir(folder, () => fs.rm(folder, { recursive: true }, done));
    });
  },
  mkdtemp: (random, done) => { fs.mkdtemp(scratch(), done); },
  opendir(random, done) {
    (async () => { for await (const entry of await fs.promises.opendir('.')) void entry; })().then(() => done(), done);
  },
  fileHandle(random, done) {
    (async () => {
      const handle = await fs.promises.open(scratch(), 'w+');
      try {
        await handle.write(Buffer.alloc(random.below(300_000)));
        await handle.read(Buffer.alloc(100), 0, 100, 0);
      } finally {
        await handle.close();
      }
    })().then(() => done(), done);
  },
  watch(random, done) {
    const watcher = fs.watch('.');
    watcher.on('error', done);
    setImmediate(() => watcher.close());
    watcher.on('close', () => done());
  },
  copyByStreams(random, done) {
    pipeline(fs.createReadStream(__filename), new PassThrough(), fs.createWriteStream(scratch()), done);
  },
  bigStream(random, done) {
    const chunk = Buffer.alloc(65536);
    let left = random.below(40);
    const source = new Readable({ read() { this.push(left-- > 0 ? chunk : null); } });
    pipeline(source, fs.createWriteStream(scratch()), done);
  },

  lines(random, done) {
    const input = fs.createReadStream(__filename);
    let failure;
    input.on('error', (error) => { failure = error; });
    input.on('close', () => done(failure));
    readline.createInterface({ input }).on('error', () => {});
  },

  tcp: (random, done) => { echo({ port: 0, host: '127.0.0.1' }, done); },
  unixSocket: (random, done) => { echo({ path: scratch() }, done); },
  refused(random, done) {
    const socket = net.connect(1, '127.0.0.1');
    let failure;
    socket.on('error', (error) => { failure = error; });
    socket.on('close', () => done(failure));
  },
  lookup: (random, done) => { dns.lookup('localhost', done); },

  spawn(random, done) {
    const stdio = random.pick(['pipe', 'ignore', ['pipe', 'pipe', 'ignore', 'pipe']]);
    const child = child_process.spawn('true', { stdio });
    for (const stream of child.stdio ?? []) stream?.on('error', () => {});
    let failure;
    child.on('error', (error) => { failure = error; });
    if (child.pid === undefined) child.once('error', done);
    else child.on('close', () => done(failure));
  },
  execFile(random, done) {
    // The exit code of a child that had no room to start is a number: Node's.
    child_process.execFile('echo', ['x'], (error) => done(typeof error?.code === 'number' ? null : error));
  },
  exec(random, done) {
    child_process.exec('exit 3', (error) => done(typeof error?.code === 'number' ? null : error));
  },
  spawnSync(random, done) {
    const input = random.chance(50) ? Buffer.alloc(random.below(500_000)) : undefined;
    done(child_process.spawnSync(random.pick(['true', 'cat']), { input }).error);
  },
  execSync(random, done) {
    try {
      child_process.execSync('exit 0', { stdio: 'pipe' });
    } catch (error) {
      return done(typeof error.status === 'number' ? null : error);
    }
    done();
  },
  killed(random, done) {
    const child = child_process.spawn('sleep', ['60'], { stdio: 'ignore' });
    if (child.pid === undefined) return child.once('error', done);
    child.on('error', () => {});
    child.on('exit', () => done());
    child.kill(random.pick(['SIGTERM', 'SIGKILL', 'SIGIO']));
  },

  signal(random, done) {
    const name = random.pick(['SIGUSR2', 'SIGHUP', 'SIGTERM', 'SIGINT', 'SIGIO']);
    process.once(name, () => {
      clearInterval(alive);
      done();
    });
    const alive = setInterval(() => {}, 1000); // a listener keeps no program running
    process.kill(process.pid, name);
  },
  messageChannel(random, done) {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', () => port1.close());
    port1.on('close', () => done());
    port2.postMessage({ bytes: Buffer.alloc(random.below(100_000)) });
  },
  broadcast(random, done) {
    const [a, b] = [new BroadcastChannel('limits'), new BroadcastChannel('limits')];
    b.onmessage = () => {
      a.close();
      b.close();
      done();
    };
    a.postMessage(1);
  },
  clone(random, done) {
    structuredClone({ list: new Array(random.below(10_000)).fill(1) });
    done();
  },
  vm(random, done) {
    const limits = random.pick([{}, { timeout: 5000 }, { breakOnSigint: true }]);
    vm.runInThisContext('1 + 1', limits);
    vm.runInNewContext('a = 1', {}, limits);
    new vm.Script('b => 1').runInContext(vm.createContext({}), limits);
    done();
  },
  events(random, done) {
    const emitter = new EventEmitter();
    emitter.once('x', () => done());
    emitter.emit('x');
  },
  memory(random, done) {
    const bytes = Buffer.alloc(random.below(200_000_000));
    if (bytes.length > 0 && bytes.at(-1) !== 0) throw new Error('memory that is not zero');
    done();
  },
  garbage(random, done) {
    let last;
    for (let i = 0; i < 100_000; i++) last = { last: i % 100 === 0 ? null : last };
    done();
  },
  machine(random, done) {
    os.cpus();
    os.networkInterfaces();
    process.memoryUsage();
    process.cpuUsage();
    done();
  },
  output: (random, done) => { process.stdout.write('.', done); },
};

// Not there yet: checked from the day it is.
if (typeof fs.watch !== 'function') delete kOperations.watch;

let scratchCount = 0;
function scratch() {
  return path.join('.', `scratch${process.pid}-${scratchCount++}`);
}

// Settled when the server has closed, or could not listen.
function echo(address, done) {
  let failure;
  let client;
  let isSettled = false;
  const settle = () => {
    if (!isSettled) done(failure);
    isSettled = true;
  };
  const fail = (error) => {
    failure ??= error;
    client?.destroy();
    if (server.listening) server.close();
    else settle();
  };
  const server = net.createServer((socket) => {
    socket.on('error', fail);
    socket.pipe(socket);
  });
  server.on('error', fail);
  server.on('close', settle);
  server.listen(address, () => {
    client = net.connect(address.path ?? server.address().port, address.host);
    client.on('error', fail);
    client.on('data', () => client.end());
    client.on('close', () => server.close());
    client.write('hello');
  });
}

function isV8s(error) {
  return error instanceof RangeError &&
    /Array buffer allocation failed|Invalid array length|Invalid typed array length/.test(error.message);
}

function runProgram(seed) {
  const random = new Random(seed);
  const open = new Map();
  let number = 0;
  const complain = (text) => {
    fs.writeSync(2, `limits_check: ${text}\n`);
    process.reallyExit(9);
  };

  const hoard = [];
  if (random.chance(40)) {
    try {
      for (;;) hoard.push(fs.openSync('/dev/null'));
    } catch (error) {
      if (error.code !== 'EMFILE' && error.code !== 'ENOMEM') complain(`open: ${error.stack}`);
    }
    for (let i = random.below(8); i > 0 && hoard.length > 0; i--) fs.closeSync(hoard.pop());
  }
  // Then as many as there could be come free, in the middle of what is under way.
  if (random.chance(50)) {
    setTimeout(() => { for (const fd of hoard.splice(0)) fs.closeSync(fd); }, random.below(10));
  }

  function start(depth) {
    const name = random.pick(Object.keys(kOperations));
    const id = `${name}#${number++}`;
    open.set(id, true);
    const done = (error) => {
      if (!open.delete(id)) complain(`${id} was settled twice`);
      if (error && typeof error.code !== 'string' && !isV8s(error)) complain(`${id}: no code: ${error.stack}`);
      if (depth < 3 && random.chance(40)) start(depth + 1);
    };
    try {
      kOperations[name](random, done);
    } catch (error) {
      done(error);
    }
  }

  process.on('uncaughtException', (error) => complain(`uncaught: ${error?.stack ?? error}`));
  process.on('exit', (code) => {
    if (open.size > 0) complain(`never settled: ${[...open.keys()].join(', ')}`);
    if (code !== 0) complain(`exit code ${code}`);
  });
  for (let i = random.below(8) + 1; i > 0; i--) start(0);
}

// ---- The limits ----

const kFailsByItself = [
  /Fatal process (?:OOM|out of memory)/i,
  /Fatal JavaScript (?:OOM|out of memory)/i,
  /JavaScript heap out of memory/,
  /FATAL ERROR: .*(?:OOM|memory|allocation)/i,
  /error while loading shared libraries/,
  /cannot allocate memory (?:for|in) /i,
  /low_level_alloc\.cc .*mmap error/, // the engine's locks
];

function chooseLimits(random, canLimitProcesses) {
  const limits = {};
  // First: that shells name it differently takes a redirection, and that a descriptor above 10.
  if (canLimitProcesses && random.chance(30)) limits.u = random.below(8);
  if (random.chance(60)) limits.n = random.pick([4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 30, 64]);
  const addressLimit = 200_000 + random.below(1_500_000); // KiB
  if (random.chance(30) && !options['no-address-limit']) limits.v = addressLimit;
  if (random.chance(30)) limits.f = random.below(5000); // blocks of 512 bytes
  return limits;
}

function commandLine(limits, seed, user) {
  const set = Object.entries(limits).map(([flag, value]) =>
    (flag === 'u' ? `{ ulimit -u ${value} 2>/dev/null || ulimit -p ${value}; }` : `ulimit -${flag} ${value}`));
  const shell = ['sh', '-c', [...set, 'exec "$0" "$@"'].join(' && '), process.execPath, __filename, `--program=${seed}`];
  return user === undefined ? shell : ['setpriv', `--reuid=${user}`, '--clear-groups', ...shell];
}

function run(command, cwd) {
  return new Promise((resolve, reject) => {
    const child = child_process.spawn(command[0], command.slice(1), { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, kTimeoutMs);
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (data) => { errors += data; });
    child.on('error', reject);
    // No program of ours hands these pipes to a child.
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, isLate, errors });
    });
  });
}

function verdict({ code, signal, isLate, errors }) {
  if (isLate) return `it still ran after ${kTimeoutMs} ms`;
  if (code === 0) return undefined;
  if (kFailsByItself.some((pattern) => pattern.test(errors))) return undefined;
  // It could not begin: said so, and ended with a code of its own.
  const cannotBegin = /^rondo: .*(?:Too many open files|Cannot allocate memory|temporarily unavailable)/m.test(errors) ||
    /Error: E(?:MFILE|NOMEM): .*, (?:open|read) '.*\.js'/.test(errors);
  if (code === 1 && cannotBegin && !errors.includes('limits_check: ')) return undefined;
  return `it ended with ${signal ?? `exit code ${code}`}`;
}

async function checkAll() {
  const seconds = Number(options.seconds);
  const count = Number(options.count);
  const end = Date.now() + seconds * 1000;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-limits-'));
  fs.chmodSync(folder, 0o777);
  let canLimitProcesses = true;
  if (process.getuid() === 0) {
    const probe = [`--reuid=${kFirstUser}`, '--clear-groups', process.execPath, __filename, '--count=0'];
    const { status, error } = child_process.spawnSync('setpriv', probe, { cwd: folder, stdio: 'ignore' });
    canLimitProcesses = !error && status === 0;
    if (!canLimitProcesses) console.log('RLIMIT_NPROC is left out: it does not bind root, and another user cannot run this');
  }

  let seed = Number(options.seed);
  let ran = 0;
  let failed = false;
  const lane = async () => {
    while (!failed && ran < count && Date.now() < end) {
      const mine = seed++;
      ran++;
      const limits = chooseLimits(new Random(mine), canLimitProcesses);
      const user = limits.u !== undefined && process.getuid() === 0 ? kFirstUser + mine % 1000 : undefined;
      const command = commandLine(limits, mine, user);
      const result = await run(command, folder);
      const wrong = verdict(result);
      if (wrong === undefined) continue;
      failed = true;
      console.log(`seed ${mine}, limits ${JSON.stringify(limits)}: ${wrong}\n${result.errors}`);
      console.log(`repeat: rondo ${path.relative('.', __filename)} --seed=${mine} --count=1`);
    }
  };
  await Promise.all(Array.from({ length: kAtATime }, lane));
  fs.rmSync(folder, { recursive: true, force: true });
  console.log(`${ran} programs${failed ? ', one failed' : ''}`);
  process.exitCode = failed ? 1 : 0;
}

if (options.program !== undefined) runProgram(Number(options.program));
else if (options.count !== '0') checkAll();
