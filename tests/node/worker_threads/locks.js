// Locks of one thread: who has one when, and the microtasks that it takes.
const { locks } = require('node:worker_threads');
const { setTimeout } = require('node:timers/promises');
const log = console.log;
const microtasks = (count) => {
  let promise = Promise.resolve();
  for (let i = 0; i < count; i++) promise = promise.then(() => log('microtask', i));
};
const summary = (name, state) => ['held', 'pending'].map((kind) =>
  state[kind].filter((each) => each.name === name).map((each) => `${each.mode} ${each.clientId === `node-${process.pid}-0`}`));

async function order() {
  microtasks(9);
  locks.request('a', async (lock) => { log('first', lock); await null; log('first ends'); return 1; }).then(log);
  locks.request('a', () => { log('second'); return 2; }).then(log);
  locks.request('a', { mode: 'shared' }, (lock) => { log('shared', lock.mode); return 3; }).then(log);
  locks.request('a', { mode: 'shared' }, async () => { log('shared'); return 4; }).then(log);
  locks.request('a', { ifAvailable: true }, (lock) => { log('not available', lock); return 5; }).then(log);
  locks.query().then((state) => log(summary('a', state)));
  log('synchronously');
  await setTimeout(1);
  for (const callback of [() => 'value', async () => 'promise', () => ({ then(resolve) { resolve('thenable'); } })]) {
    microtasks(8);
    log(await locks.request('b', callback));
    await setTimeout(1);
  }
  microtasks(8);
  await locks.request('b', async () => { throw new Error('on purpose'); }).catch((error) => log(error.message));
  await setTimeout(1);
  microtasks(10);
  log(await locks.request('b', { signal: new AbortController().signal }, (lock) => lock.name));
  await setTimeout(1);
}

async function others() {
  const held = locks.request('stolen', () => setTimeout(10)).catch(({ name, message, code }) => log(name, message, code));
  locks.request('stolen', () => log('waited')).then(() => log('waiter done'));
  await locks.request('stolen', { steal: true }, async (lock) => { log('steals', lock); await setTimeout(20); });
  await held;
  const controller = new AbortController();
  locks.request('aborted', () => setTimeout(10));
  locks.request('aborted', { signal: controller.signal }, () => log('never')).catch((reason) => log('aborted', reason));
  const last = locks.request('aborted', () => log('next'));
  controller.abort('why');
  log(summary('aborted', await locks.query()));
  await last;
  await locks.request('nested', async () => {
    log(await locks.request('nested', { ifAvailable: true }, (lock) => lock));
    log(await locks.request('other', { mode: 'shared' }, () => locks.request('other', { mode: 'shared' }, (lock) => lock.name)));
  });
  // One that waits for itself alone holds up those who could share.
  locks.request('mixed', { mode: 'shared' }, () => setTimeout(10));
  locks.request('mixed', () => log('exclusive'));
  locks.request('mixed', { mode: 'shared', ifAvailable: true }, (lock) => log('shared, if available', lock));
  await locks.request('mixed', { mode: 'shared' }, () => log('shared'));
  log(summary('mixed', await locks.query()));
}

async function channels() {
  const { subscribe } = require('node:diagnostics_channel');
  for (const name of ['start', 'grant', 'miss', 'end']) subscribe(`locks.request.${name}`, (message) => log(name, message));
  await locks.request('watched', () => locks.request('watched', { ifAvailable: true }, () => null));
  await locks.request('watched', async () => { throw 7; }).catch(log);
}

(async () => {
  await order();
  await others();
  await channels();
})();
