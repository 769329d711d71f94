// process.env of a Worker: a copy, an own one, or that of the parent.
const { SHARE_ENV, Worker } = require('node:worker_threads');
process.env.RONDO_TEST = 'parent';
const source = `
  const { parentPort } = require('worker_threads');
  const before = process.env.RONDO_TEST;
  process.env.RONDO_TEST = 'changed';
  process.env.RONDO_NEW = 5;
  delete process.env.RONDO_OTHER;
  parentPort.postMessage({ before, after: process.env.RONDO_TEST, has: 'RONDO_NEW' in process.env,
    number: process.env.RONDO_NEW, keys: Object.keys(process.env).filter((key) => key.startsWith('RONDO')).sort() });
`;
async function run(env) {
  process.env.RONDO_TEST = 'parent';
  process.env.RONDO_OTHER = 'x';
  delete process.env.RONDO_NEW;
  const worker = new Worker(source, { eval: true, env });
  console.log(await new Promise((resolve) => worker.on('message', resolve)));
  await new Promise((resolve) => worker.on('exit', resolve));
  console.log(process.env.RONDO_TEST, process.env.RONDO_NEW, process.env.RONDO_OTHER);
}
(async () => {
  await run(undefined);
  await run(null);
  await run({ RONDO_TEST: 'own', RONDO_OTHER: 1 });
  await run(SHARE_ENV);
  for (const env of [5, 'text', Symbol('x')]) {
    try {
      new Worker('', { eval: true, env });
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
})();
