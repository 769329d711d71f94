// A FileHandle goes to a Worker and comes back; one that is in use does not.
const { Worker, MessageChannel } = require('node:worker_threads');
const fs = require('node:fs/promises');
(async () => {
  const worker = new Worker(`
    const { parentPort } = require('node:worker_threads');
    parentPort.once('message', async (handle) => {
      const { bytesRead } = await handle.read(Buffer.alloc(10), 0, 10, 0);
      parentPort.postMessage({ handle, bytesRead, name: handle.constructor.name }, [handle]);
    });
  `, { eval: true });
  const handle = await fs.open(__filename);
  worker.postMessage(handle, [handle]);
  console.log(handle.fd);
  await handle.stat().catch((error) => console.log(error.code));
  const back = await new Promise((resolve) => worker.on('message', resolve));
  console.log(back.bytesRead, back.name, back.handle instanceof handle.constructor);
  const { port1 } = new MessageChannel();
  for (const list of [[], [back.handle]]) {
    const reading = list.length === 0 ? undefined : back.handle.readFile('utf8');
    try {
      port1.postMessage(back.handle, list);
    } catch (error) {
      console.log(error.name, error.message);
    }
    if (reading) console.log((await reading).startsWith('// A FileHandle'));
  }
  await back.handle.close();
  port1.close();
})();
