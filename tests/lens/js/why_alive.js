// whyAlive() and snapshot(): what keeps the program from ending, in its own words.
const { snapshot, whyAlive } = require('rondo:lens');
const fs = require('fs');
const net = require('net');

const show = (title) => console.log(title, whyAlive().map(({ what }) => what.replace(/\d+/g, 'N')));

show('at first');
const timer = setTimeout(() => {}, 5000);
setInterval(() => {}, 5000).unref();
show('a timer');
const others = [1, 2, 3].map((ms) => setTimeout(() => {}, ms < 3 ? 6000 : 5000));
console.log('alike', whyAlive().map(({ what, count }) => `${count} of ${what.slice(0, 15)}`));
for (const one of [timer, ...others]) clearTimeout(one);
fs.stat('nothing', () => {
  show('in stat');
  setImmediate(serve);
});
console.log(snapshot().requests);
console.log(whyAlive().every(({ stack }) => Array.isArray(stack) && stack.length === 0));

function serve() {
  const server = net.createServer().listen(0, '127.0.0.1', () => {
    show('a server');
    console.log(snapshot().handles.filter((what) => what.startsWith('server')).length);
    server.close(() => setImmediate(hasPorts));
  });
}

function hasPorts() {
  const ports = () => snapshot().handles.filter((what) => what === 'message port').length;
  const { port1, port2 } = new MessageChannel();
  port1.on('message', () => {});
  show('a message port');
  console.log(ports());
  port2.on('close', () => setImmediate(() => {
    show('at last');
    console.log(ports());
  }));
  port1.close();
  port2.close();
}
