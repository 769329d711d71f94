'use strict';
// A cluster under clients that vanish at random, whose workers are killed one after the other.
//
//   rondo cluster_check.js [--seconds=60] [--seed=1] [--connections=100] [--every=300]
//
// The primary is also the clients. A worker is killed every so many milliseconds, and another one takes its place. Who is
// connected to a worker that lives has each answer; in the end the workers have no connection left, the primary has no more
// descriptors than at the beginning, and all end by themselves. Round robin and shared sockets take turns.

const assert = require('node:assert');
const cluster = require('node:cluster');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const { setTimeout: sleep } = require('node:timers/promises');
const { parseArgs } = require('node:util');
const { Random } = require('./random.js');

const kWorkers = 3;
const kAnswerMs = 240_000; // a connection that takes as long is stuck, also on a machine that is busy

function work() {
  const server = http.createServer({ keepAliveTimeout: 2 * kAnswerMs }, (request, response) => {
    setTimeout(() => response.end(`${process.pid}!`), Number(request.url.slice(1)));
  });
  server.listen(0, '127.0.0.1', 4096);
  process.on('message', () => server.getConnections((error, count) => process.send(count)));
}

// Asks some times. Notes who has answered, and whether an answer is owed in the end.
function visit(port, random, stats, killed) {
  return new Promise((resolve, reject) => {
    const vanishes = random.chance(30);
    let left = 1 + random.below(5);
    let text = '';
    let pid = 0;
    let isOwed = false;
    let isGone = false;
    const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
    socket.setTimeout(kAnswerMs, () => reject(new Error('a connection is stuck')));
    const ask = () => {
      isOwed = true;
      socket.write(`GET /${random.below(10)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    };
    socket.on('connect', ask);
    if (vanishes) {
      setTimeout(() => {
        isGone = true;
        if (random.chance(50)) socket.resetAndDestroy();
        else socket.destroy();
      }, random.below(50));
    }
    socket.on('data', (data) => {
      text += data;
      const found = /\r\n\r\n(\d+)!$/.exec(text);
      if (found === null) return;
      text = '';
      pid = Number(found[1]);
      stats.answers++;
      isOwed = false;
      if (--left === 0) socket.destroy();
      else if (!isGone) ask();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      stats.connections++;
      // Who has had no answer yet does not know its worker, which may have been killed.
      const isLost = isOwed && !isGone && pid !== 0 && !killed.has(pid);
      if (isLost) reject(new Error(`worker ${pid} lives and does not answer`));
      else resolve();
    });
  });
}

async function check(seed, policy, milliseconds, { connections, every }) {
  const random = new Random(seed);
  cluster.schedulingPolicy = policy;
  const killed = new Set();
  const stats = { answers: 0, connections: 0 };
  let ends = false;
  const replace = () => {
    if (!ends) cluster.fork();
  };
  cluster.on('exit', replace);
  for (let i = 0; i < kWorkers; i++) cluster.fork();
  const [, { port }] = await once(cluster, 'listening');
  const descriptors = () => fs.readdirSync('/proc/self/fd').length;
  const end = Date.now() + milliseconds;

  const kill = async () => {
    while (Date.now() < end) {
      await sleep(every);
      const workers = Object.values(cluster.workers).filter(({ state }) => state === 'listening');
      if (workers.length < 2) continue; // the others are on their way
      const { process: victim } = random.pick(workers);
      killed.add(victim.pid);
      victim.kill('SIGKILL');
    }
  };
  const slots = Array.from({ length: connections }, async (_, i) => {
    await sleep(i);
    do await visit(port, random, stats, killed);
    while (Date.now() < end);
  });
  await Promise.all([kill(), ...slots]);

  ends = true;
  // One that was just killed is still in the list.
  const isLeaving = ({ state, process: { pid } }) => state !== 'listening' || killed.has(pid);
  while (Object.values(cluster.workers).some(isLeaving)) await sleep(20);
  for (const worker of Object.values(cluster.workers)) {
    let count;
    for (let i = 0; i < 200 && count !== 0; i++) {
      if (i > 0) await sleep(20);
      worker.send('count');
      [count] = await once(worker, 'message');
    }
    assert.strictEqual(count, 0, 'connections are left');
  }
  const workers = Object.values(cluster.workers);
  const exits = workers.map((worker) => once(worker, 'exit'));
  for (const worker of workers) worker.disconnect();
  for (const [code] of await Promise.all(exits)) assert.strictEqual(code, 0);
  cluster.off('exit', replace);
  await sleep(20);
  return { stats, killed: killed.size, open: descriptors() };
}

async function main() {
  const { values } = parseArgs({
    options: {
      'seconds': { type: 'string', default: '60' },
      'seed': { type: 'string', default: '1' },
      'connections': { type: 'string', default: '100' },
      'every': { type: 'string', default: '300' },
      'no-address-limit': { type: 'boolean' }, // of the other checks: with AddressSanitizer
    },
  });
  const options = { connections: Number(values.connections), every: Number(values.every) };
  const half = Number(values.seconds) * 500;
  let open;
  let seed = Number(values.seed);
  for (const policy of [cluster.SCHED_RR, cluster.SCHED_NONE]) {
    const result = await check(seed++, policy, half, options);
    console.log(`policy ${policy}: ${result.stats.connections} connections, ${result.stats.answers} answers, ${result.killed} killed`);
    assert(open === undefined || result.open <= open, `descriptors are left: ${open}, then ${result.open}`);
    open = result.open;
  }
}

if (cluster.isPrimary) main();
else work();
