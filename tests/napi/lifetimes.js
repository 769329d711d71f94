'use strict';
// What becomes of references and finalizers, in Workers and at the end of the program.

const { Worker, isMainThread } = require('node:worker_threads');
const file = `${process.argv[2]}/lifetimes.node`;
const addon = require(file);

async function collect(done) {
  for (let i = 0; i < 100 && !done(); i++) {
    global.gc();
    await new Promise(setImmediate);
  }
  return done();
}

async function references() {
  addon.garbage(50);
  console.log('collected', await collect(() => addon.count() === 300), addon.count());
  const strong = addon.makeRef({ strong: 1 }, 1);
  const weak = addon.makeRef({ weak: 1 }, 0);
  const text = addon.makeRef('text', 1);
  console.log(await collect(() => addon.deref(weak) === undefined), addon.deref(strong), addon.deref(text));
  console.log(addon.change(strong, true), addon.change(strong, false), addon.change(strong, false));
  console.log(await collect(() => addon.deref(strong) === undefined), addon.change(strong, false));
  for (const reference of [strong, weak, text]) addon.drop(reference);
}

// The addon prints what happens at the end; the Worker itself prints nothing, which would come later.
function ended(worker) {
  return new Promise((resolve) => worker.on('exit', resolve));
}

async function main() {
  await references();
  console.log('exit', await ended(new Worker(__filename, { argv: [process.argv[2]] })));
  const endless = new Worker(`
    require(${JSON.stringify(file)});
    require('node:worker_threads').parentPort.postMessage('here');
    for (;;);`, { eval: true });
  endless.on('message', () => endless.terminate());
  console.log('terminated', await ended(endless));
  globalThis.left = addon.leave();
}

if (isMainThread) {
  main();
} else {
  globalThis.left = addon.leave();
  process.exit(3);
}
