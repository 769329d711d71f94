'use strict';
// Sessions of node:inspector: connecting, requests, answers, errors, the end.

const inspector = require('inspector');

const attempt = (name, run) => {
  try {
    console.log(name, '->', run());
  } catch (error) {
    console.log(name, '->', error.name, error.code, error.message);
  }
};
const answer = (name) => (error, result) => console.log(name, error ? `${error.name} ${error.code} ${error.message}` : result);

console.log(Object.keys(inspector), Object.keys(inspector.Network), Object.keys(inspector.DOMStorage));
console.log(process.features.inspector, inspector.url(), inspector.console === console, inspector.console);

const session = new inspector.Session();
attempt('post before connect', () => session.post('Runtime.enable'));
attempt('disconnect before connect', () => session.disconnect());
attempt('connect', () => session.connect());
attempt('connect again', () => session.connect());
attempt('connectToMainThread', () => new inspector.Session().connectToMainThread());
attempt('method', () => session.post(1));
for (const params of [1, 'x', [1], null, {}]) attempt('params', () => session.post('Runtime.getIsolateId', params));
attempt('callback', () => session.post('Runtime.enable', {}, 1));
attempt('without new', () => inspector.Session());
attempt('close', () => inspector.close());
attempt('registerStorage', () => inspector.DOMStorage.registerStorage(1));
attempt('requestWillBeSent', () => inspector.Network.requestWillBeSent());

session.post('Nothing.known', answer('unknown domain'));
session.post('Runtime.nothing', answer('unknown method'));
session.post('Runtime.evaluate', answer('without parameters'));
session.post('Runtime.evaluate', { expression: '1 + 1' }, answer('1 + 1'));
session.post('Runtime.evaluate', { expression: '({ a: [1, "\u20ac"] })', returnByValue: true }, answer('by value'));
session.post('Runtime.evaluate', { expression: 'globalThis.x = 1', throwOnSideEffect: true }, (error, { exceptionDetails }) => {
  console.log('side effect', exceptionDetails.exception.description.split('\n')[0], globalThis.x);
});
session.post('Schema.getDomains', (error, { domains }) => console.log(domains.map(({ name }) => name)));
session.post('Runtime.evaluate', { expression: 'new Promise((f) => setTimeout(f, 5, "later"))', awaitPromise: true, returnByValue: true }, (error, result) => {
  answer('awaited')(error, result);
  session.post('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true }, answer('never settles'));
  session.disconnect();
  attempt('post after disconnect', () => session.post('Runtime.enable'));
  session.connect();
  process.once('warning', (warning) => console.log('warning', warning.message));
  session.post('Runtime.evaluate', { expression: '2' }, () => { throw new Error('thrown in a callback'); });
  session.disconnect();
});
