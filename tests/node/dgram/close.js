'use strict';
// Ways to close, and what still comes afterwards.
const dgram = require('dgram');

const controller = new AbortController();
const aborted = dgram.createSocket({ type: 'udp4', signal: controller.signal });
aborted.on('close', () => console.log('closed by the signal'));
controller.abort();
const late = dgram.createSocket({ type: 'udp4', signal: AbortSignal.abort() });
late.on('close', () => console.log('closed from the beginning'));

const busy = dgram.createSocket('udp4');
busy.bind(0, '127.0.0.1');
busy.on('listening', () => console.log('never'));
console.log(busy.close(() => console.log('closed while binding')) === busy);

const sending = dgram.createSocket('udp4');
sending.send('x', 9, '127.0.0.1', (error) => console.log('sent', error));
sending.close(() => console.log('closed after what was queued'));

(async () => {
  const disposed = dgram.createSocket('udp4');
  disposed.on('close', () => console.log('disposed'));
  await disposed[Symbol.asyncDispose]();
  await disposed[Symbol.asyncDispose]();
  console.log('twice');
})();

const idle = dgram.createSocket('udp4');
idle.bind(0, '127.0.0.1', () => idle.unref());
process.on('exit', (code) => console.log('exit', code));
