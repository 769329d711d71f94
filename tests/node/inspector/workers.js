// rondo-test: option=--no-warnings
// NodeWorker: sessions with Workers inside of a session; Session.connectToMainThread() the other way.
'use strict';
const { Session } = require('inspector');
const { Worker } = require('worker_threads');
const { once } = require('events');

const post = (session, method, params) => new Promise((resolve) => {
  session.post(method, params, (error, result) => resolve(error?.message ?? result));
});

async function workers() {
  const session = new Session();
  session.connect();
  await post(session, 'NodeWorker.enable', { waitForDebuggerOnStart: true });
  const ended = once(session, 'NodeWorker.detachedFromWorker');
  const attached = once(session, 'NodeWorker.attachedToWorker');
  const worker = new Worker('globalThis.x = 1; process.exitCode = globalThis.y', { eval: true, name: 'sum' });
  const [{ params }] = await attached;
  console.log(params);
  const { sessionId } = params;
  const answers = new Map();
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
    const { id, result, error } = JSON.parse(message);
    answers.get(id)?.(result ?? error);
  });
  const ask = (method, own) => new Promise((resolve) => {
    const id = answers.size + 1;
    answers.set(id, resolve);
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params: own }) });
  });
  console.log(await ask('Runtime.evaluate', { expression: 'typeof x; y = 7' }));
  const exited = once(worker, 'exit');
  console.log(await ask('NodeWorker.enable', { waitForDebuggerOnStart: false }));
  console.log(await ask('Runtime.runIfWaitingForDebugger'));
  console.log(await exited, (await ended)[0].params);
  console.log(await post(session, 'NodeWorker.enable', {}), await post(session, 'NodeWorker.nothing'));
  console.log(await post(session, 'NodeWorker.disable'));
  session.disconnect();
}

async function mainThread() {
  globalThis.answer = 42;
  const worker = new Worker(`
    const { Session } = require('inspector');
    const { parentPort } = require('worker_threads');
    const session = new Session();
    session.connectToMainThread();
    try { session.connectToMainThread(); } catch (error) { parentPort.postMessage(error.code); }
    session.post('Runtime.evaluate', { expression: 'answer' }, (error, result) => {
      session.disconnect();
      parentPort.postMessage(result);
    });
    setTimeout(() => {}, 1000).unref();
    parentPort.once('message', () => {});
  `, { eval: true });
  console.log(await once(worker, 'message'), await once(worker, 'message'));
  await worker.terminate();
  try {
    new Session().connectToMainThread();
  } catch (error) {
    console.log(error.code);
  }
}

workers().then(mainThread);
