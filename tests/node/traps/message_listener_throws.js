// The ticks that a throwing listener of a port leaves run after the next operation, which is not the next message.
const { AsyncLocalStorage } = require('node:async_hooks');
const log = console.log;
const storage = new AsyncLocalStorage();

process.on('uncaughtException', (error) => log('uncaught', error.message));

const steps = [];

steps.push(() => {
  setImmediate(() => log('immediate'));
  const { port1, port2 } = new MessageChannel();
  port1.once('message', () => {
    port1.close();
    log('message');
    queueMicrotask(() => log('microtask'));
    process.nextTick(() => log('tick'));
    throw new Error('thrown');
  });
  port2.postMessage(1);
});

steps.push(() => {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (message) => {
    log('message', message);
    Promise.resolve().then(() => log('then', message));
    if (message === 2) throw new Error('two');
    if (message === 4) port1.close();
  });
  for (const message of [1, 2, 3, 4]) port2.postMessage(message);
  setImmediate(() => log('immediate'));
});

// A message that is sent by a listener waits for the next iteration.
steps.push(() => {
  const send = (callback) => {
    const { port1, port2 } = new MessageChannel();
    port1.once('message', () => {
      port1.close();
      callback();
    });
    port2.postMessage(1);
  };
  setImmediate(() => log('first immediate'));
  send(() => {
    log('outer');
    send(() => log('inner'));
    setImmediate(() => log('second immediate'));
  });
});

// A port's listeners run with the stores that were current when it was made.
steps.push(() => storage.run('made', () => {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', () => {
    log('received in', storage.getStore());
    port1.close();
  });
  port1.on('close', () => log('closed in', storage.getStore()));
  storage.run('sent', () => port2.postMessage(1));
  const one = new BroadcastChannel('name');
  const other = new BroadcastChannel('name');
  one.onmessage = () => {
    log('heard in', storage.getStore());
    one.close();
    other.close();
  };
  storage.run('sent', () => other.postMessage(1));
}));

(function next() {
  steps.shift()?.();
  if (steps.length > 0) setTimeout(next, 50);
})();
