// ioredis and bullmq, and a real Redis: pipelines, transactions, scripts, messages, a restart; jobs with retries, delays and children.
import assert from 'node:assert';
import { once } from 'node:events';
import { FlowProducer, Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { kPassword, startRedis } from './support/database.mjs';

const database = await startRedis();
const settings = { host: '127.0.0.1', port: database.port, password: kPassword, maxRetriesPerRequest: null };

const redis = new Redis(settings);
console.log(await redis.set('key', 'a \u{1f600}'), await redis.get('key'), await redis.get('none'), await redis.getBuffer('key'));
console.log(await redis.call('NOSUCH').catch((error) => [error.name, error.message]));
console.log(await redis.hset('hash', { a: 1, b: 'two' }), await redis.hgetall('hash'));
console.log((await redis.multi().incr('counter').incrby('counter', 5).lpush('key', 1).exec()).map(([error, answer]) => error?.message ?? answer));
const pipeline = redis.pipeline();
for (let i = 0; i < 20_000; i++) pipeline.set(`n:${i}`, i);
console.log((await pipeline.exec()).filter(([error, answer]) => error === null && answer === 'OK').length);
let scanned = 0;
for await (const keys of redis.scanStream({ match: 'n:*', count: 1000 })) scanned += keys.length;
console.log('scanned', scanned);
redis.defineCommand('swap', { numberOfKeys: 2, lua: `
  local a, b = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])
  redis.call('SET', KEYS[1], b) redis.call('SET', KEYS[2], a) return { a, b, ARGV[1] }` });
console.log(await redis.swap('n:1', 'n:2', 'x'), await redis.mget('n:1', 'n:2'));
const large = Buffer.alloc(10_000_000, 'rondo');
await redis.set('large', large);
console.log('10 MB there and back', (await redis.getBuffer('large')).equals(large));

const subscriber = redis.duplicate();
console.log(await subscriber.psubscribe('news.*'));
const news = once(subscriber, 'pmessage');
await redis.publish('news.today', 'the text');
console.log(await news);
const waiting = subscriber.duplicate();
const popped = waiting.blpop('list', 10);
await redis.rpush('list', 'first');
console.log(await popped);

// Commands that are under way when the server ends wait for the next server.
redis.on('error', () => {});
subscriber.on('error', () => {});
waiting.on('error', () => {});
const ready = once(redis, 'ready');
await database.restart('SIGKILL');
await ready;
console.log(await redis.set('after', 1), await redis.get('key'));
subscriber.disconnect();
waiting.disconnect();

const connection = settings;
const queue = new Queue('work', { connection });
const events = new QueueEvents('work', { connection });
const log = [];
const lastFailure = Promise.withResolvers();
const worker = new Worker('work', async (job) => {
  if (job.name === 'fails') throw new Error(`attempt ${job.attemptsMade}`);
  await job.updateProgress(50);
  return { sum: job.data.a + job.data.b };
}, { connection, concurrency: 4 });
worker.on('failed', (job, error) => {
  log.push([job.name, job.attemptsMade, error.message]);
  if (job.attemptsMade === 3) lastFailure.resolve();
});
await Promise.all([events.waitUntilReady(), worker.waitUntilReady()]);
const jobs = await queue.addBulk(Array.from({ length: 50 }, (_, i) => ({ name: 'adds', data: { a: i, b: 1 } })));
console.log((await Promise.all(jobs.map((job) => job.waitUntilFinished(events)))).reduce((sum, each) => sum + each.sum, 0));
const bad = await queue.add('fails', {}, { attempts: 3, backoff: { type: 'fixed', delay: 20 } });
await assert.rejects(bad.waitUntilFinished(events), /attempt 2/);
await lastFailure.promise;
console.log(log);
const delayed = await queue.add('adds', { a: 1, b: 2 }, { delay: 100 });
const begin = Date.now();
console.log(await delayed.waitUntilFinished(events), Date.now() - begin >= 50);

const flow = new FlowProducer({ connection });
const parents = new Worker('parents', async (job) => Object.values(await job.getChildrenValues()).reduce((sum, each) => sum + each.sum, 0), { connection });
const parentEvents = new QueueEvents('parents', { connection });
await parentEvents.waitUntilReady();
const tree = await flow.add({ name: 'total', queueName: 'parents',
  children: [1, 2, 3].map((a) => ({ name: 'adds', queueName: 'work', data: { a, b: 10 } })) });
console.log(await tree.job.waitUntilFinished(parentEvents));
console.log(await queue.getJobCounts('completed', 'failed', 'waiting', 'delayed'));
await Promise.all([worker, parents, queue, events, parentEvents, flow].map((each) => each.close()));
await redis.quit();
await database.stop();
console.log('done');
