'use strict';
// What the tools call requests of HTTP, and how they link a response to what has led to it.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'rondo-requests-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

function run(source, ...args) {
  const program = path.join(folder, 'program.js');
  fs.writeFileSync(program, source);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, program], { encoding: 'utf8' });
  assert.strictEqual(status, 0, stderr);
  return { stdout, stderr };
}

function explain(source) {
  const { runs } = JSON.parse(run(source, 'explain', '--json').stdout);
  const labels = runs.map(({ label }) => label);
  return {
    labels,
    find: (label) => runs.find((each) => each.label === label) ?? assert.fail(`no "${label}" in\n${labels.join('\n')}`),
    // The labels of a run and of its causes, up to one that begins with `last`.
    story(run, last) {
      const words = [];
      for (let each = run; each !== undefined; each = runs[each.cause - 1]) {
        words.push(each.label);
        if (each.label.startsWith(last)) return words;
      }
      return assert.fail(`does not come from ${last}: ${words.join(' < ')}`);
    },
  };
}

// The response of /slow takes a file, a timer and an await.
const kHttp1 = (work = '') => `
  const fs = require('node:fs');
  const http = require('node:http');
  const server = http.createServer((request, response) => {
    fs.readFile(__filename, () => {
      setTimeout(async () => {
        await null;
        ${work}
        response.statusCode = 201;
        response.end('x');
      }, 2);
    });
  });
  server.listen(0, '127.0.0.1', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const { port } = server.address();
    for (const path of ['/first', '/slow?id=1']) {
      await new Promise((resolve) => {
        http.get({ port, host: '127.0.0.1', path, agent }, (response) => response.resume().on('end', resolve));
      });
    }
    agent.destroy();
    server.close();
  });`;

const kHttp2 = `
  const http2 = require('node:http2');
  const server = http2.createServer((request, response) => {
    setTimeout(() => {
      response.statusCode = 202;
      response.end('x');
    }, 2);
  });
  server.listen(0, '127.0.0.1', () => {
    const client = http2.connect('http://127.0.0.1:' + server.address().port);
    const request = client.request({ ':method': 'POST', ':path': '/a' });
    request.resume().on('end', () => {
      client.close();
      server.close();
    }).end('body');
  });`;

// Two requests are with the Worker at the same time, whose answers come in the other order.
const kWorker = `
  const http = require('node:http');
  const { Worker } = require('node:worker_threads');
  const worker = new Worker(\`
    const { parentPort } = require('node:worker_threads');
    const { readFile } = require('node:fs/promises');
    parentPort.on('message', async (id) => {
      await readFile('/dev/null');
      setTimeout(() => parentPort.postMessage(id), id === '/a' ? 40 : 1);
    });
  \`, { eval: true });
  const responses = new Map();
  worker.on('message', (id) => responses.get(id).end('x'));
  const server = http.createServer((request, response) => {
    responses.set(request.url, response);
    worker.postMessage(request.url);
  });
  let left = 2;
  worker.on('online', () => server.listen(0, '127.0.0.1', () => {
    for (const path of ['/a', '/b']) {
      http.get({ port: server.address().port, host: '127.0.0.1', path, agent: false }, (response) => {
        response.resume().on('end', () => {
          if (--left > 0) return;
          server.close();
          worker.terminate();
        });
      });
    }
  }));`;

test('explain links a response to its request, through files, timers and promises', () => {
  const { find, labels, story } = explain(kHttp1());
  for (const name of ['/first', '/slow?id=1']) {
    const words = story(find(`response 201 to GET ${name}`), "'request'");
    assert.strictEqual(words.at(-1), `'request' of GET ${name}`);
    assert.ok(words.includes('setTimeout 2 ms') && words.some((word) => word.startsWith('readFile')), words.join());
  }
  assert.ok(labels.includes("'response' of 201 for GET /slow?id=1"), labels.join('\n'));
});

test('explain does the same for HTTP/2', () => {
  const { find, labels, story } = explain(kHttp2);
  assert.deepStrictEqual(story(find('response 202 to POST /a'), "'stream'"),
    ['response 202 to POST /a', 'setTimeout 2 ms', "'stream' of POST /a"]);
  assert.ok(labels.includes("'response' of 202 for POST /a"), labels.join('\n'));
});

test('explain follows a request to a Worker and back', () => {
  const { find, story } = explain(kWorker);
  for (const name of ['/a', '/b']) {
    const words = story(find(`response 200 to GET ${name}`), "'request'");
    assert.deepStrictEqual(words, [`response 200 to GET ${name}`, 'message', `'request' of GET ${name}`]);
  }
});

test('a trace has the names of requests and responses', () => {
  const file = path.join(folder, 'trace.json');
  for (const [source, expected] of [
    [kHttp1(), ["'request' of GET /first", "'response' of 201 for GET /first", 'response 201 to GET /slow?id=1']],
    [kHttp2, ["'stream' of POST /a", 'response 202 to POST /a', "'response' of 202 for POST /a"]],
  ]) {
    run(source, `--trace-loop=${file}`);
    const names = JSON.parse(fs.readFileSync(file, 'utf8')).map(({ name }) => name);
    for (const name of expected) assert.ok(names.includes(name), `no "${name}" in\n${names.join('\n')}`);
  }
});

// As long as a stall of the machine itself could be taken for one of the program.
const kStall = 'for (const end = Date.now() + 300; Date.now() < end;);';

test('--blocked says which request a callback serves', () => {
  const { stderr } = run(kHttp1(kStall), '--blocked=40');
  const lines = stderr.split('\n').filter((line) => line.startsWith('[blocked]'));
  for (const name of ['/first', '/slow?id=1']) {
    assert.ok(lines.some((line) => line.includes(`a promise or microtask (for GET ${name}) has been running for`)), stderr);
  }
  const timer = run(kHttp2.replace('response.statusCode', `${kStall} response.statusCode`), '--blocked=40').stderr;
  assert.match(timer, /^\[blocked\] setTimeout 2 ms \(for POST \/a\) has been running for/m);
  const request = run(kHttp2.replace('setTimeout', `${kStall} setTimeout`), '--blocked=40').stderr;
  assert.match(request, /^\[blocked\] 'stream' of POST \/a has been running for/m);
});
