'use strict';
// net.BlockList: clones have the same rules, also on another thread.
const { BlockList } = require('node:net');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

if (!isMainThread) {
  const list = workerData;
  parentPort.on('message', (step) => {
    if (step === 'look') parentPort.postMessage([list.check('10.1.2.3'), list.check('1.2.3.4'), list.size, list.rules]);
    if (step === 'add') {
      list.addRange('172.16.0.1', '172.16.0.9');
      list.removeAddress('1.2.3.4');
      for (let i = 0; i < 200; i++) list.addAddress(`2.2.2.${i}`);
      parentPort.postMessage(list.size);
    }
    if (step === 'end') parentPort.close();
  });
} else {
  const list = new BlockList();
  list.addSubnet('10.0.0.0', 8);
  const clone = structuredClone(list);
  clone.addAddress('1.2.3.4');
  list.addRange('fe80::1', 'fe80::9', 'ipv6');
  list.addAddress('1.2.3.5');
  list.addCIDR('192.168.0.0/16');
  console.log(list.rules, clone.rules, list.check('1.2.3.4'), clone.check('fe80::5', 'ipv6'), BlockList.isBlockList(clone), clone);
  const third = structuredClone({ clone }).clone;
  third.removeSubnet('10.0.0.0', 8);
  list.fromJSON(['Subnet: IPv4 10.0.0.0/16', 'Address: IPv4 7.7.7.7', 'nonsense']);
  clone.removeCIDR('192.168.0.0/16');
  console.log(list.toJSON(), list.size, clone.size, third.size);
  third.clear();
  console.log(list.rules, list.size);
  list.addCIDRs(['10.0.0.0/8', '::1/128']);
  list.addAddresses(['1.2.3.4', '1.2.3.4', '9.9.9.9']);
  console.log(clone.rules);

  const worker = new Worker(__filename, { workerData: clone });
  const ask = (step) => new Promise((resolve) => {
    worker.postMessage(step);
    worker.once('message', resolve);
  });
  (async () => {
    console.log(await ask('look'));
    list.removeSubnet('10.0.0.0', 8);
    console.log(await ask('look'));
    const added = ask('add');
    for (let i = 0; i < 200; i++) list.addAddress(`3.3.3.${i}`);
    await added;
    console.log(list.size, clone.size, list.check('172.16.0.5'), list.check('2.2.2.199'), clone.check('3.3.3.199'), list.check('1.2.3.4'));
    worker.postMessage('end');
  })();
}
