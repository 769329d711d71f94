// A Worker that opens a descriptor which it has already, or closes one that is not its own, is warned; what it leaves open is closed.
const fs = require('node:fs');
const { once } = require('node:events');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

async function run(action, trackUnmanagedFds) {
  const worker = new Worker(__filename, { workerData: action, trackUnmanagedFds });
  const fd = fs.openSync('/dev/null');
  worker.postMessage(fd);
  const messages = [];
  worker.on('message', (message) => {
    if (typeof message !== 'number') return messages.push(message);
    fs.closeSync(message);
    worker.postMessage('go on');
  });
  await once(worker, 'exit');
  console.log(action, trackUnmanagedFds, messages);
  try {
    fs.closeSync(fd);
  } catch ({ code }) {
    console.log(code);
  }
}

const actions = {
  closeSync: (fd) => fs.closeSync(fd),
  close: (fd) => fs.close(fd, () => {}),
  adopt: (fd) => fs.createReadStream(null, { fd }).resume(),
  both: () => fs.closeSync(fs.openSync('/dev/null')),
  fine: () => fs.writeFileSync('/dev/null', fs.readFileSync(__filename)),
  twice() {
    parentPort.postMessage(fs.openSync('/dev/null'));
    parentPort.once('message', () => fs.closeSync(fs.openSync('/dev/null')));
  },
};

async function main() {
  for (const action of Object.keys(actions)) await run(action, true);
  await run('closeSync', false);
}

if (isMainThread) {
  process.removeAllListeners('warning');
  main();
} else {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => parentPort.postMessage(`${name}: ${message.replace(/\d+/, 'N')}`));
  parentPort.once('message', (fd) => actions[workerData](fd));
}
