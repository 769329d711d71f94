'use strict';
// Work on other threads, calls from other threads, and what async_hooks and AsyncLocalStorage see of them.

const { AsyncLocalStorage, createHook, executionAsyncId, executionAsyncResource, triggerAsyncId } =
  require('node:async_hooks');
const { Worker, isMainThread } = require('node:worker_threads');

const addon = require(`${process.argv[2]}/async.node`);
const storage = new AsyncLocalStorage();

function ticks(label) {
  process.nextTick(() => console.log(label, 'tick', storage.getStore()));
  Promise.resolve().then(() => console.log(label, 'microtask', storage.getStore()));
}

function worked(input) {
  return new Promise((resolve) => {
    addon.work(input, (status, output) => {
      console.log('work', status, output, storage.getStore());
      ticks('work');
      setImmediate(resolve);
    });
  });
}

function threads(count, each, most) {
  return new Promise((resolve) => {
    const seen = [];
    addon.threads(count, each, most, (number) => seen.push(number), () => {
      const inOrder = Array.from({ length: count }, (_, thread) => {
        const own = seen.filter((number) => Math.floor(number / each) === thread);
        return own.every((number, i) => i === 0 || own[i - 1] < number);
      });
      resolve([seen.length, new Set(seen).size, inOrder.every(Boolean)]);
    });
  });
}

function caught(begin) {
  return new Promise((resolve) => {
    process.once('uncaughtException', (error, origin) => resolve([error.message, origin]));
    begin();
  });
}

async function main() {
  await storage.run('store', () => worked(21));
  console.log('cancelled', await new Promise((resolve) => {
    const cancelling = addon.cancel(1, (status, output) => resolve([cancelling, status, output]));
  }));
  console.log('uncaught', await caught(() => addon.work(1, () => { throw new Error('of work'); })));
  console.log('threads', await threads(1, 1000, 0), await threads(4, 500, 0), await threads(1, 200, 3));
  console.log('uncaught', await caught(() => {
    addon.threads(1, 1, 0, () => { throw new Error('of a thread'); }, () => {});
  }));
  const received = [];
  console.log('full', addon.full((number) => received.push(number)));
  await new Promise((resolve) => setTimeout(resolve, 5));
  console.log('received', received);
  console.log('uncaught', await caught(() => addon.fatalException(new Error('fatal'))));

  // Ticks between the calls of one thread.
  const order = [];
  await new Promise((resolve) => {
    addon.threads(1, 3, 0, (number) => {
      order.push(number);
      process.nextTick(() => order.push(`tick ${number}`));
      Promise.resolve().then(() => order.push(`microtask ${number}`));
    }, resolve);
  });
  console.log(order.join());

  const resource = { name: 'resource' };
  const events = [];
  const hook = createHook({
    init(id, type, trigger) { if (type === 'TYPE') events.push(['init', type, trigger === executionAsyncId()]); },
    before(id) { if (id === ids.context) events.push('before'); },
    after(id) { if (id === ids.context) events.push('after'); },
    destroy(id) { if (id === ids.context) events.push('destroy'); },
  }).enable();
  const ids = { context: undefined };
  storage.run('of the context', () => addon.init(resource, 'TYPE'));
  ids.context = addon.inContext({}, () => executionAsyncId());
  const receiver = { receiver: true };
  console.log(addon.inContext(receiver, function(...args) {
    return [this === receiver, args, storage.getStore(), executionAsyncResource() === resource, triggerAsyncId() > 0];
  }, 1, 'two'));
  console.log(storage.getStore(), addon.inScope(() => storage.getStore()), executionAsyncId() === ids.context);
  try {
    addon.inContext({}, () => { throw new Error('in the context'); });
  } catch (error) {
    console.log(error.message, executionAsyncId() === ids.context);
  }
  addon.destroy();
  await new Promise(setImmediate);
  hook.disable();
  console.log(events.join());

  const promise = addon.promise();
  addon.settle(true, 'kept');
  console.log(await promise);
  const broken = addon.promise();
  addon.settle(false, new Error('broken'));
  console.log(await broken.catch((error) => error.message));

  addon.forgotten(() => {});
  const worker = new Worker(__filename, { argv: [process.argv[2]] });
  worker.on('exit', (code) => console.log('Worker', code));
}

if (isMainThread) {
  main();
} else {
  // Ended with work under way.
  addon.work(1, () => console.log('never'));
  addon.threads(1, 200, 1, () => {}, () => {});
  addon.forgotten(() => {});
  process.exit(7);
}
