// process.env of a Worker: a copy, an own one, or that of the parent.
const { SHARE_ENV, Worker } = require('node:worker_threads');
process.env.UNIT_TEST = 'parent';
const source = `
  const { parentPort } = require('worker_threads');
  const before = process.env.UNIT_TEST;
  process.env.UNIT_TEST = 'changed';
  process.env.UNIT_NEW = 5;
  delete process.env.UNIT_OTHER;
  parentPort.postMessage({ before, after: process.env.UNIT_TEST, has: 'UNIT_NEW' in process.env,
    number: process.env.UNIT_NEW, keys: Object.keys(process.env).filter((key) => key.startsWith('UNIT')).sort() });
`;
async function run(env) {
  process.env.UNIT_TEST = 'parent';
  process.env.UNIT_OTHER = 'x';
  delete process.env.UNIT_NEW;
  const worker = new Worker(source, { eval: true, env });
  const ended = new Promise((resolve) => worker.on('exit', resolve));
  console.log(await new Promise((resolve) => worker.on('message', resolve)));
  await ended;
  console.log(process.env.UNIT_TEST, process.env.UNIT_NEW, process.env.UNIT_OTHER);
}
(async () => {
  await run(undefined);
  await run(null);
  await run({ UNIT_TEST: 'own', UNIT_OTHER: 1 });
  await run(SHARE_ENV);
  for (const env of [5, 'text', Symbol('x')]) {
    try {
      new Worker('', { eval: true, env });
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
})();
