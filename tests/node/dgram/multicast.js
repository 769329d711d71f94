'use strict';
// A group on the loopback interface: two members hear it, one that has left does not.
const dgram = require('dgram');
const group = '224.0.0.114';
const make = () => dgram.createSocket({ type: 'udp4', reuseAddr: true });
const [first, second, gone] = [make(), make(), make()];
const sender = dgram.createSocket('udp4');
let heard = 0;

function listen(name, socket) {
  socket.on('message', (message) => {
    console.log(name === 'gone' ? 'gone heard it' : 'a member heard', message.toString());
    if (++heard === 2) setImmediate(() => [first, second, gone, sender].forEach((each) => each.close()));
  });
}
listen('first', first);
listen('second', second);
listen('gone', gone);

first.bind(0, group, () => {
  const { port } = first.address();
  first.addMembership(group, '127.0.0.1');
  second.bind(port, group, () => {
    second.addMembership(group, '127.0.0.1');
    gone.bind(0, '127.0.0.1', () => {
      gone.addMembership(group, '127.0.0.1');
      gone.dropMembership(group, '127.0.0.1');
      sender.bind(0, '127.0.0.1', () => {
        sender.setMulticastInterface('127.0.0.1');
        sender.setMulticastLoopback(true);
        sender.send('to the group', port, group);
      });
    });
  });
});
