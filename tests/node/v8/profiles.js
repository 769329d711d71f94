// Profiles of this thread and of a Worker: their form, their options, how many there can be.
const v8 = require('node:v8');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

const attempt = (run) => {
  try {
    console.log(typeof run());
  } catch ({ name, code, message }) {
    console.log(name, code, message);
  }
};
const show = (text) => {
  const profile = JSON.parse(text);
  const root = profile.head ?? profile.nodes[0];
  // A profile without samples has only the root.
  const keys = Object.keys(root).filter((key) => key !== 'children').sort();
  console.log(Object.keys(profile).sort(), keys, Object.keys(root.callFrame).sort(), root.callFrame.functionName);
};

// So long that the thread that takes the samples has its turn, on a busy machine too.
function busy() {
  const list = [];
  const begun = process.cpuUsage().user;
  while (process.cpuUsage().user - begun < 200_000) list.push({ a: [list.length] });
  return list;
}

async function ofWorker() {
  const worker = new Worker('setInterval(() => {}, 100)', { eval: true });
  await once(worker, 'online');
  const [first, second] = await Promise.all([worker.startCpuProfile(), worker.startCpuProfile({ sampleInterval: 0.5, maxBufferSize: 8 })]);
  show(await first.stop());
  show(await second.stop());
  console.log(await first.stop() === await first.stop());
  const heap = await worker.startHeapProfile({ sampleInterval: 1024, stackDepth: 8, forceGC: true });
  await worker.startHeapProfile().catch(({ name, code, message }) => console.log(name, code, message));
  show(await heap.stop());
  console.log(await heap.stop() === await heap.stop());
  attempt(() => worker.startCpuProfile({ maxBufferSize: 0 }));
  const last = await worker.startCpuProfile();
  await worker.terminate();
  for (const promise of [last.stop(), worker.startCpuProfile(), worker.startHeapProfile()]) {
    await promise.catch(({ code }) => console.log(code));
  }
}

const cpu = v8.startCpuProfile({ sampleInterval: 0.1 });
busy();
const text = cpu.stop();
show(text);
console.log(JSON.parse(text).nodes.some((node) => node.callFrame.functionName === 'busy'), cpu.stop());
const heap = v8.startHeapProfile({ sampleInterval: 256 });
const kept = busy();
attempt(() => v8.startHeapProfile());
const heapText = heap.stop();
show(heapText);
console.log(heapText.includes('busy'), heap.stop(), kept.length > 0);
for (const options of [5, null, { sampleInterval: -1 }, { sampleInterval: '1' }, { sampleInterval: 1e10 }, { maxBufferSize: 0 }, { maxBufferSize: 1e11 }]) {
  attempt(() => v8.startCpuProfile(options));
}
for (const options of ['bad', { sampleInterval: 1.1 }, { sampleInterval: 0 }, { stackDepth: -1 }, { stackDepth: '1' }, { forceGC: 1 }, { includeObjectsCollectedByMajorGC: 1 }]) {
  attempt(() => v8.startHeapProfile(options));
}
const all = [];
attempt(() => { for (;;) all.push(v8.startCpuProfile()); });
console.log(all.length);
for (const each of all) each[Symbol.dispose]();
ofWorker();
