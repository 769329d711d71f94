'use strict';
// The option `lookup`, and its errors.
const dgram = require('dgram');

const failing = dgram.createSocket({
  type: 'udp4',
  lookup(name, family, callback) {
    console.log('asked for', name, family);
    process.nextTick(callback, name === 'bad' ? new Error('no such name') : null, '127.0.0.1', 4);
  },
});
failing.on('error', (error) => {
  console.log('error event', error.message);
  failing.close();
});
failing.bind(0, 'good', () => {
  console.log(failing.address().address);
  failing.send('x', 9, 'bad', (error) => {
    console.log('callback', error.message);
    failing.connect(9, 'bad', (reason) => {
      console.log('connect', reason.message);
      failing.send('x', 9, 'bad');
    });
  });
});
