'use strict';
// Floods: frames that cost the sender little. Each ends with the connection, not with the server.
const { note } = require('./fixtures/pair');
const { attack, frame, get, number } = require('./fixtures/raw');

const many = (count, make) => [...Array(count).keys()].map(make);
const cases = [
  ['continuations', {}, [frame('HEADERS', 1, 1, get), ...many(100, () => frame('CONTINUATION', 0, 1, Buffer.from([0x84])))]],
  ['empty data', {}, [frame('HEADERS', 4, 1, get), ...many(3000, () => frame('DATA', 0, 1))]],
  ['settings entries', { maxSettings: 4 }, [frame('SETTINGS', 0, 0, Buffer.concat(many(10, () => Buffer.from('000300000064', 'hex'))))]],
  ['resets', { streamResetBurst: 20, streamResetRate: 1 }, many(200, (i) => Buffer.concat([
    frame('HEADERS', 5, 2 * i + 1, get), frame('RST_STREAM', 0, 2 * i + 1, number(8))]))],
  ['invalid frames', { maxSessionInvalidFrames: 5 }, [frame('HEADERS', 5, 1, get),
    ...many(50, () => frame('WINDOW_UPDATE', 0, 1, number(0)))]],
];
(function next() {
  const one = cases.shift();
  if (one) attack(...one, () => next());
  else note('all', 'still alive');
})();
