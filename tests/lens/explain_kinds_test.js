'use strict';
// What `rondo explain` calls things, where it says that they come from, and how a program ends: for every kind of
// callback that a program can have.

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-kinds-')));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

function run(args, input) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: folder });
    const result = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => result[name] += text);
    child.stdin.end(input);
    child.on('close', (status) => resolve({ status, ...result }));
  });
}

// The document of a program, with `at`: what it calls what was scheduled on a line, each once, in order.
async function explain(source, { name = 'program.js', input } = {}) {
  fs.writeFileSync(path.join(folder, name), source);
  const { status, stdout, stderr } = await run(['explain', '--json', name], input);
  assert.strictEqual(stderr, '');
  const document = JSON.parse(stdout);
  const of = (line) => document.runs.filter(({ site }) => site?.line === line && site.file === path.join(folder, name));
  const at = (line) => [...new Set(of(line).filter(({ step }) => !step).map(({ label }) => label))];
  const printed = document.output.map(({ text }) => text).join('');
  return { status, document, of, at, printed };
}

test('timers, immediates, ticks, microtasks', async () => {
  const { at } = await explain([
    'setTimeout(() => {}, 3);',
    'const i = setInterval(() => clearInterval(i), 2);',
    'setImmediate(() => {});',
    'process.nextTick(function named() {});',
    'process.nextTick(() => {});',
    'queueMicrotask(() => {});',
    'setTimeout(() => {}, 0);',
  ].join('\n'));
  assert.deepStrictEqual([1, 2, 3, 4, 5, 6, 7].map(at), [['setTimeout 3 ms'], ['setInterval 2 ms'], ['immediate'],
    ['tick named'], ['tick'], ['microtask'], ['setTimeout 1 ms']]);
});

test('requests of node:http are called by method, path and status', async () => {
  const { document } = await explain([
    "const http = require('node:http');",
    "const fs = require('node:fs');",
    'const server = http.createServer((request, response) => {',
    '  fs.readFile(__filename, () => {',
    '    response.statusCode = 201;',
    "    response.end('x');",
    '  });',
    '});',
    'server.listen(0, () => {',
    "  http.get({ port: server.address().port, path: '/users?id=1', agent: false }, (response) => {",
    '    response.resume();',
    "    response.on('end', () => server.close());",
    '  });',
    '});',
  ].join('\n'));
  const labels = document.runs.map(({ label }) => label);
  const request = document.runs.find(({ label }) => label === "'request' of GET /users?id=1");
  assert.ok(request, labels.join('\n'));
  assert.ok(labels.includes("'response' of 201 for GET /users?id=1"), labels.join('\n'));
  assert.ok(labels.includes("'end' of 201 for GET /users?id=1"), labels.join('\n'));
  const file = document.runs.find(({ label }) => label.startsWith('readFile'));
  assert.strictEqual(file.cause, request.id);
});

test('an await is no then', async () => {
  const { at } = await explain([
    'const p = Promise.resolve();',
    'p.then(() => {});',
    'p.catch(() => {});',
    'p.finally(() => {});',
    'async function f() {',
    '  await null;',
    '  p.then(() => {});',
    '  await p;',
    '  await new Promise((resolve) => setImmediate(resolve));',
    '  for await (const x of (async function* () { yield; })()) p.then(() => {});',
    '}',
    'f();',
    'Promise.all([p, p]);',
  ].join('\n'));
  assert.deepStrictEqual([2, 3, 4, 6, 7, 8, 9].map(at), [['promise'], ['promise'], ['promise'], ['await'], ['promise'],
    ['await'], ['immediate', 'await']]);
  assert.deepStrictEqual(at(10).sort(), ['await', 'promise']);
  assert.deepStrictEqual(at(13), ['promise']);
});

// V8 takes further turns to wait for what a callback has returned.
test('a callback of a promise is there once, whatever it returns', async () => {
  const { of } = await explain([
    'const p = Promise.resolve();',
    'p.finally(() => {});',
    'p.then(() => p);',
    'p.then(() => new Promise((resolve) => setImmediate(resolve)));',
    'p.then(() => ({ then(resolve) { resolve(); } }));',
  ].join('\n'));
  const counts = [2, 3, 4, 5].map((line) => of(line).filter(({ label, step }) => label === 'promise' && !step).length);
  assert.deepStrictEqual(counts, [1, 1, 1, 2]); // the last one has a then() of the program's own
});

// The same again when V8 has compiled it: then() may have become part of what calls it.
test('an await is no then, however often', async () => {
  const { document } = await explain(`
    const p = Promise.resolve();
    let thens = 0;
    (async () => {
      for (let i = 0; i < 20000; i++) {
        p.then(() => thens++);
        await p;
      }
    })();`);
  const counts = Object.fromEntries(document.aggregates.map(({ label, count, site }) => [`${label} ${site?.line}`, count]));
  assert.strictEqual(counts['promise 6'], 20000);
  assert.strictEqual(counts['await 7'], 20000);
});

test('files', async () => {
  const { at, of } = await explain([
    "const fs = require('fs');",
    "fs.writeFile('out.txt', 'x', () => {",
    "  fs.readFile('out.txt', () => {",
    "    fs.stat('out.txt', () => {",
    "      fs.promises.readFile('out.txt').then(() => {",
    "        fs.unlink('out.txt', () => {});",
    '      });',
    '    });',
    '  });',
    '});',
  ].join('\n'));
  assert.deepStrictEqual([2, 3, 4, 6].map(at), [['writeFile out.txt'], ['readFile out.txt'], ['stat out.txt'], ['unlink out.txt']]);
  assert(of(5).some(({ label }) => label === 'readFile out.txt'));
  assert(at(5).includes('promise'));
});

test('a promised operation ends with a step that is called as the whole', async () => {
  const { of } = await explain([
    "const fs = require('fs').promises;",
    '(async () => {',
    "  await fs.writeFile('out.txt', 'x');",
    "  await fs.readFile('out.txt');",
    "  await fs.truncate('out.txt');",
    "  await fs.rm('out.txt');",
    '})();',
  ].join('\n'));
  const labels = (line) => of(line).filter(({ kind }) => kind === 'request').map(({ label, step }) => [label, step === true]);
  const story = (whole, ...steps) => [...steps.map((step) => [`${whole}: ${step}`, true]), [whole, false]];
  assert.deepStrictEqual(labels(3), story('writeFile out.txt'));
  assert.deepStrictEqual(labels(4), story('readFile out.txt'));
  assert.deepStrictEqual(labels(5), story('truncate out.txt', 'open', 'ftruncate'));
  assert.deepStrictEqual(labels(6), story('rm out.txt', 'lstat'));
});

test('steps of an operation, by what was called and for which file', async () => {
  const { of } = await explain([
    "const fs = require('fs'), { promisify } = require('util');",
    "fs.mkdirSync('a'); fs.writeFileSync('a/f', 'x');",
    "promisify(fs.readFile)('a/f');",
    "fs.realpath('a/f', () => {});",
    "fs.truncate('a/f', () => fs.rm('a', { recursive: true }, () => {}));",
  ].join('\n'));
  const labels = (line) => of(line).map(({ label }) => label).filter((label) => label !== 'promise');
  assert.deepStrictEqual(labels(3), ['readFile a/f']);
  assert.deepStrictEqual([...new Set(labels(4))], ['realpath a/f: lstat', 'realpath a/f']);
  assert.deepStrictEqual(labels(5),
    ['truncate a/f: open', 'truncate a/f: ftruncate', 'truncate a/f', 'rm a: lstat', 'rm a']);
});

test('streams of files, step by step', async () => {
  const { of } = await explain([
    "const w = require('fs').createWriteStream('w.txt');",
    "setTimeout(() => w.end('x'), 1);",
  ].join('\n'));
  const labels = [1, 2].flatMap(of).map(({ label }) => label).filter((label) => / w\.txt/.test(label));
  assert.deepStrictEqual(labels, ['open w.txt', 'createWriteStream w.txt: write', 'createWriteStream w.txt: close']);
});

test('a server and sockets, with their addresses', async () => {
  const { at, of, printed } = await explain([
    "const net = require('net');",
    "const server = net.createServer((peer) => peer.on('data', (data) => peer.end(data)));",
    "server.listen(0, '127.0.0.1', () => {",
    "  const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('hello'));",
    "  socket.on('data', (data) => console.log(server.address().port, socket.localPort));",
    "  socket.on('close', () => server.close());",
    '});',
  ].join('\n'));
  const [port, client] = printed.trim().split(' ');
  const ofServer = at(3);
  assert(ofServer.includes(`'connection' of server 127.0.0.1:${port}`), ofServer.join());
  assert(ofServer.includes(`'data' of socket 127.0.0.1:${client}`), ofServer.join());
  assert(ofServer.includes(`'close' of server 127.0.0.1:${port}`), ofServer.join());
  assert(at(4).includes(`connect to 127.0.0.1:${port}`));
  assert(at(4).includes(`'data' of socket 127.0.0.1:${port}`));
  assert.strictEqual(of(4).find(({ event }) => event === 'close').phase, 'close');
});

test('a local server and its sockets, with their path', async () => {
  const { at } = await explain([
    "const net = require('net');",
    'const server = net.createServer((peer) => peer.end());',
    "server.listen('local.sock', () => {",
    "  net.connect('local.sock').resume().on('close', () => server.close());",
    '});',
  ].join('\n'));
  const ofServer = at(3);
  assert(ofServer.includes("'connection' of server local.sock"), ofServer.join());
  assert(ofServer.includes("'end' of socket local.sock"), ofServer.join());
  assert(ofServer.includes("'close' of server local.sock"), ofServer.join());
  assert(at(4).includes('connect to local.sock'), at(4).join());
  assert(at(4).includes("'end' of socket local.sock"), at(4).join());
});

test('a child process', async () => {
  const { at, printed } = await explain([
    "const child = require('child_process').spawn('sh', ['-c', 'echo hi; exit 4']);",
    "child.stdout.on('data', () => {});",
    "child.on('exit', (code) => console.log(child.pid, code));",
  ].join('\n'));
  const [pid, code] = printed.trim().split(' ');
  assert.strictEqual(code, '4');
  assert(at(1).includes(`'exit' of child process ${pid} (sh -c echo hi; exit 4)`), at(1).join());
  assert(at(1).includes(`'data' of stdout of child process ${pid}`), at(1).join());
});

test('a lookup, a message, a signal, lines', async () => {
  const { at, printed } = await explain([
    "require('dns').lookup('localhost', () => {});",
    'const { port1, port2 } = new MessageChannel();',
    "port1.onmessage = ({ data }) => { console.log(data); port1.close(); };",
    "port2.postMessage('message');",
    "process.once('SIGUSR2', () => console.log('signal'));",
    "process.kill(process.pid, 'SIGUSR2');",
    "require('readline').createInterface({ input: process.stdin }).on('line', (line) => console.log('line', line));",
    'const wait = setInterval(() => {}, 1000);',
    "process.prependOnceListener('SIGUSR2', () => clearInterval(wait));",
  ].join('\n'), { input: 'abc\n' });
  assert.deepStrictEqual(at(1), ['lookup localhost']);
  assert(at(2).includes("'message' of message port"), at(2).join());
  assert.deepStrictEqual(at(5), ["'SIGUSR2' of process"]);
  assert(at(7).includes("'data' of stdin"), at(7).join());
  assert.deepStrictEqual(printed.trim().split('\n').sort(), ['line abc', 'message', 'signal']);
});

test('events of the process, and exit codes', async () => {
  const { status, document, at } = await explain([
    "process.on('beforeExit', () => console.log('beforeExit'));",
    "process.on('exit', () => { console.log('exit'); process.exitCode = 5; });",
    "process.on('unhandledRejection', () => setImmediate(() => { throw new Error('mine'); }));",
    "process.on('uncaughtException', () => console.log('uncaught'));",
    'Promise.reject(1);',
  ].join('\n'));
  assert.strictEqual(status, 5);
  assert.strictEqual(document.exitCode, 5);
  assert.strictEqual(document.end, 'nothing-left');
  const { runs, output } = document;
  const find = (label) => runs.find((run) => run.label === label);
  const rejection = find("'unhandledRejection' of process");
  assert.strictEqual(rejection.site.line, 5);
  assert.strictEqual(rejection.cause, 1);
  const immediate = find('immediate');
  assert.strictEqual(immediate.cause, rejection.id);
  assert.deepStrictEqual(at(3)[0], 'immediate');
  assert.deepStrictEqual(output.map(({ run, text }) => [run, text]), [[immediate.id, 'uncaught\n'],
    [find("'beforeExit' of process").id, 'beforeExit\n'], [find("'exit' of process").id, 'exit\n']]);
});

test('process.exit() in a callback; an exception; a rejection', async () => {
  assert.strictEqual((await explain('setTimeout(() => process.exit(6), 1);')).status, 6);
  assert.strictEqual((await explain("throw new Error('mine');")).status, 1);
  const { status, printed, document } = await explain("Promise.reject(new Error('mine'));");
  assert.strictEqual(status, 1);
  assert.strictEqual(document.end, 'uncaught');
  assert.match(printed, /Error: mine/);
});

test('an ES module, and await at its top', async () => {
  const { at, of, status, printed } = await explain([
    "import { setTimeout as wait } from 'node:timers/promises';",
    "console.log('top');",
    'await null;',
    "console.log('on');",
    'await wait(1);',
    'async function later() {',
    '  await null;',
    "  setImmediate(() => console.log('immediate'));",
    '}',
    'await later();',
    'process.nextTick(() => {});',
    'process.exitCode = 3;',
  ].join('\n'), { name: 'module.mjs' });
  assert.strictEqual(status, 3);
  assert.strictEqual(printed, 'top\non\nimmediate\n');
  assert.deepStrictEqual([3, 7, 8, 10, 11].map(at), [['await'], ['await'], ['immediate'], ['await'], ['tick']]);
  assert(at(5).includes('setTimeout 1 ms') && at(5).includes('await'), at(5).join());
  assert.strictEqual(of(8)[0].site.function, 'later');
});

test('an ES module that waits for the await of another goes on', async () => {
  fs.writeFileSync(path.join(folder, 'waits.mjs'), "await null; console.log('waits');");
  fs.writeFileSync(path.join(folder, 'between.mjs'), "import './waits.mjs'; console.log('between');");
  for (const source of ["import './between.mjs'; console.log('body');", "import './between.mjs'; setImmediate(() => {});"]) {
    const { document } = await explain(source, { name: 'importer.mjs' });
    const { runs, output } = document;
    const further = runs.filter(({ label }) => label === `module ${path.join(folder, 'importer.mjs')} goes on`);
    assert.strictEqual(further.length, 1);
    assert.strictEqual(further[0].step, undefined);
    assert.match(output.find(({ run }) => run === further[0].id).text, /^between\n/);
    assert(runs.every(({ kind, cause }) => kind !== 'immediate' || cause === further[0].id));
  }
  // What only waits for itself goes on with its own awaits.
  const { document } = await explain("await null; console.log('on');", { name: 'alone.mjs' });
  assert(!document.runs.some(({ label }) => / goes on$/.test(label)));
});

test('what is written to two descriptors keeps its order', async () => {
  const { document } = await explain(`
    const fs = require('fs');
    function say(n) {
      console.log('out', n);
      console.error('error', n);
      process.stdout.write('write out\\n');
      process.stderr.write('write error\\n');
      fs.writeSync(1, 'sync out\\n');
      fs.writeSync(2, 'sync error\\n');
      process._rawDebug('raw');
      console.log('last');
      require('child_process').spawnSync('sh', ['-c', 'echo child'], { stdio: 'inherit' });
      console.error('end');
    }
    say(1);
    setImmediate(say, 2);`);
  const expected = (n) => ['stdout', `out ${n}\n`, 'stderr', `error ${n}\n`, 'stdout', 'write out\n', 'stderr', 'write error\n',
    'stdout', 'sync out\n', 'stderr', 'sync error\nraw\n', 'stdout', 'last\nchild\n', 'stderr', 'end\n'];
  assert.deepStrictEqual(document.output.flatMap(({ stream, text }) => [stream, text]), [...expected(1), ...expected(2)]);
});

test('a script that is not there', async () => {
  const plain = await run(['missing.js']);
  const { status, stdout } = await run(['explain', 'missing.js']);
  assert.strictEqual(status, plain.status);
  const errors = stdout.split('\n').filter((line) => line.startsWith('┆ ')).map((line) => line.slice(2)).join('\n');
  assert.strictEqual(errors, plain.stderr.trimEnd());
});

test('what a connection does comes from its connection', async () => {
  const { document } = await explain(`
    const net = require('net');
    let left = 3;
    const server = net.createServer((socket) => socket.on('data', () => socket.end())).listen(0, '127.0.0.1', connect);
    function connect() {
      net.connect(server.address().port, '127.0.0.1').on('close', () => (--left > 0 ? connect() : server.close())).end('x');
    }`);
  const connections = document.runs.filter(({ event }) => event === 'connection');
  const accepted = document.runs.filter(({ event, cause }) => event === 'data' && connections.some(({ id }) => id === cause));
  assert.strictEqual(connections.length, 3);
  assert.deepStrictEqual(accepted.map(({ cause }) => cause), connections.map(({ id }) => id));
});

test('output stands behind what has printed it', async () => {
  fs.writeFileSync(path.join(folder, 'nested.js'), `
    const { AsyncResource } = require('async_hooks');
    process.on('exit', () => console.log('bye'));
    setTimeout(() => {
      console.log('before');
      new AsyncResource('A').runInAsyncScope(() => console.log('in A'));
      console.log('between');
      new AsyncResource('B').runInAsyncScope(() => console.log('in B'));
      console.log('after');
      process.exit();
    }, 1);`);
  const { stdout } = await run(['explain', 'nested.js']);
  const lines = stdout.split('\n').filter((line) => /^#|^│/.test(line)).map((line) => line.replace(/^#\d+ +(\S+).*/, '$1'));
  assert.deepStrictEqual(lines, ['nested.js', 'setTimeout', '│ before', 'A', '│ in A', '│ between', 'B', '│ in B', '│ after',
    "'exit'", '│ bye']);
  assert.doesNotMatch(stdout, /either order/); // they are called, one after the other
});

test("'exit' is there when an exception ends the program", async () => {
  const { document, status } = await explain('process.on("exit", () => console.log("ex")); throw 1;');
  assert.strictEqual(status, 1);
  assert.ok(document.runs.some(({ label }) => label === "'exit' of process"));
});

test("'exit' is there only if the program listens to it", async () => {
  const unsettled = 'await new Promise(() => {});';
  for (const [name, source, status] of [['plain.js', '', 0], ['unsettled.mjs', unsettled, 13]]) {
    for (const isHeard of [false, true]) {
      const listen = isHeard ? "process.on('exit', () => {});" : '';
      const { document, ...result } = await explain(`${listen} ${source}`, { name });
      assert.strictEqual(result.status, status);
      assert.strictEqual(document.runs.some(({ label }) => label === "'exit' of process"), isHeard, `${name} ${listen}`);
    }
  }
});

// Looking at a program leaves alone what it has changed, or computes.
for (const [what, source] of Object.entries({
  'a name that is computed': 'process.nextTick(Object.defineProperty(() => {}, "name", { get() { console.log("called"); } }));',
  'a proxy': 'process.nextTick(new Proxy(() => {}, { get() { console.log("called"); }, getOwnPropertyDescriptor() { console.log("called"); } }));',
  'a folder that is gone': `const fs = require("fs"); fs.mkdirSync("gone"); process.chdir("gone"); fs.rmdirSync("../gone");
    fs.stat("/", () => console.log("stat"));`,
  'process.cwd': 'process.cwd = () => { throw 1; }; require("fs").stat("/", () => console.log("stat"));',
  Map: 'globalThis.Map = undefined; setTimeout(() => console.log("timeout"), 1);',
  'Map.prototype': 'Map.prototype.set = () => { throw 1; }; setTimeout(() => console.log("timeout"), 1);',
  'WeakMap.prototype': `const net = require("net"); WeakMap.prototype.set = () => { throw 1; };
    net.connect(1, "127.0.0.1").on("error", () => console.log("error"));`,
  'String.prototype': `const here = process.cwd(); const fs = require("fs"); String.prototype.slice = () => { throw 1; };
    fs.stat(here + "/a", () => console.log("stat"));`,
})) {
  test(`left alone: ${what}`, async () => {
    fs.writeFileSync(path.join(folder, 'changed.js'), source);
    const plain = await run(['changed.js']);
    assert.strictEqual(plain.status, 0);
    const { status, stdout } = await run(['explain', '--json', 'changed.js']);
    assert.strictEqual(status, 0);
    const { output } = JSON.parse(stdout);
    assert.strictEqual(output.map(({ text }) => text).join(''), plain.stdout);
    const traced = await run([`--trace-loop=${path.join(folder, 'trace.json')}`, 'changed.js']);
    assert.deepStrictEqual(traced, plain);
  });
}
