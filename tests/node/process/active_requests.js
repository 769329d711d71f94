// What is under way is active until its callback is done.
const fs = require('fs');
const dns = require('dns');
const net = require('net');

const show = (when) => {
  const names = process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap');
  console.log(when, names.join(' ') || 'nothing');
};

show('at first:');
setTimeout(() => {
  show('in a timeout:');
  fs.stat(__filename, () => {
    show('in stat:');
    setImmediate(connect);
  });
  show('stat:');
}, 1);

function connect() {
  let open = 3;
  const closed = () => { if (--open === 0) setImmediate(lookUp); };
  const server = net.createServer((peer) => peer.on('close', closed).end());
  server.on('close', closed);
  server.listen(0, '127.0.0.1', () => {
    show('listening:');
    const socket = net.connect(server.address().port, '127.0.0.1', () => server.close());
    show('connecting:');
    socket.resume();
    socket.on('close', closed);
  });
}

function lookUp() {
  dns.lookup('127.0.0.1', () => {
    dns.lookup('localhost', () => show('in lookup:'));
    show('lookup:');
  });
}
