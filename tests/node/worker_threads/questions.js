// What a parent can ask of a Worker.
const { Worker } = require('node:worker_threads');
const worker = new Worker('setInterval(() => {}, 1000)', { eval: true, name: ' counter ' });
worker.once('online', async () => {
  console.log(worker.threadName);
  console.log(typeof (await worker.getHeapStatistics()).used_heap_size);
  const usage = await worker.cpuUsage();
  console.log(Object.keys(usage), usage.user >= 0);
  const since = await worker.cpuUsage(usage);
  console.log(since.user >= 0 && since.user < 1e6);
  for (const prev of [5, {}, { user: -1, system: 1 }]) {
    try {
      worker.cpuUsage(prev);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  const snapshot = await worker.getHeapSnapshot();
  let text = '';
  for await (const chunk of snapshot) text += chunk;
  console.log(Object.keys(JSON.parse(text)));
  const { idle, active, utilization } = worker.performance.eventLoopUtilization();
  console.log(idle > 0, active > 0, utilization > 0 && utilization < 1);
  await worker.terminate();
  console.log(worker.performance.eventLoopUtilization());
  for (const name of ['getHeapStatistics', 'cpuUsage', 'getHeapSnapshot']) {
    await worker[name]().catch((error) => console.log(name, error.code, error.message));
  }
});
