'use strict';
// Lists of addresses that may not be sent to, or heard from.
const dgram = require('dgram');
const { BlockList } = require('net');
const blocked = new BlockList();
blocked.addAddress('127.0.0.1');

const deaf = dgram.createSocket({ type: 'udp4', receiveBlockList: blocked });
deaf.on('message', () => console.log('never'));
const mute = dgram.createSocket({ type: 'udp4', sendBlockList: blocked });
const plain = dgram.createSocket('udp4');
deaf.bind(0, '127.0.0.1', () => {
  const { port } = deaf.address();
  mute.send('a', port, '127.0.0.1', (error) => {
    console.log(error.code, error.message);
    mute.connect(port, '127.0.0.1', (reason) => {
      console.log(reason.code);
      try {
        mute.connectSync(port);
      } catch ({ code }) {
        console.log(code);
      }
      mute.close();
      plain.send('b', port, '127.0.0.1', (nothing, size) => {
        console.log(nothing, size);
        setTimeout(() => {
          plain.close();
          deaf.close();
        }, 20);
      });
    });
  });
});
