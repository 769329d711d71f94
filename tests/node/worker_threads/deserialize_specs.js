// What a program can have a message say of itself loads no module and makes no object of another class.
const { open } = require('node:fs/promises');
const { MessageChannel } = require('node:worker_threads');
const { once } = require('node:events');

(async () => {
  for (const deserializeInfo of ['fs:readFile', 'internal/none:Class', 'net:None', '/tmp/a:B', 'internal/blob', 'internal/blob:None', 'stream:Readable', `${__filename}:Class`]) {
    const handle = await open(__filename);
    const kTransfer = Object.getOwnPropertySymbols(Object.getPrototypeOf(handle)).find(({ description }) => description === 'messaging_transfer_symbol');
    handle[kTransfer] = () => ({ data: 'data', deserializeInfo });
    const { port1, port2 } = new MessageChannel();
    port2.on('message', () => console.log('a message?'));
    port1.postMessage(handle, [handle]);
    const [error] = await once(port2, 'messageerror');
    console.log(error.name, error.message.replace(__filename, 'FILE'));
    port2.close();
  }
  process.exit();
})();
