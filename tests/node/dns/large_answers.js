'use strict';
// Answers of many kilobytes: cut, and whole over TCP; in one datagram; and over TCP in pieces.
const dgram = require('dgram');
const dns = require('dns');
const net = require('net');

const u16 = (number) => Buffer.from([number >> 8, number & 255]);
const record = (text) => Buffer.concat([u16(0xc00c), u16(16), u16(1), u16(0), u16(60), u16(text.length + 1), Buffer.from([text.length]), Buffer.from(text)]);

function answer(query, count, isCut) {
  const end = query.indexOf(0, 12) + 5;
  const records = Array.from({ length: isCut ? 0 : count }, (_, i) => record(`${i}`.padStart(200, '.')));
  return Buffer.concat([query.subarray(0, 2), u16(isCut ? 0x8380 : 0x8180), u16(1), u16(records.length), u16(0), u16(0), query.subarray(12, end), ...records]);
}

// The name says how many records there are, and where they come from.
const countOf = (query) => Number(/\d+/.exec(query.subarray(13).toString('latin1'))[0]);

const tcp = net.createServer((socket) => {
  socket.once('data', (data) => {
    const whole = answer(data.subarray(2), countOf(data.subarray(2)), false);
    const bytes = Buffer.concat([u16(whole.length), whole]);
    socket.write(bytes.subarray(0, 1));
    setTimeout(() => {
      socket.write(bytes.subarray(1, 1000));
      setTimeout(() => socket.write(bytes.subarray(1000)), 20);
    }, 20);
  });
  socket.on('error', () => {});
});
const udp = dgram.createSocket('udp4', (query, { port, address }) => {
  udp.send(answer(query, countOf(query), query.includes('tcp')), port, address);
});

async function main() {
  const resolver = new dns.promises.Resolver({ timeout: 10_000, tries: 1, maxTimeout: 20_000 });
  resolver.setServers([`127.0.0.1:${udp.address().port}`]);
  for (const name of ['n2.udp.test', 'n5.tcp.test', 'n15.udp.test', 'n200.udp.test', 'n290.tcp.test']) {
    const records = await resolver.resolveTxt(name);
    console.log(name, records.length, records.at(-1)[0].replace(/^\.+/, ''));
  }
  udp.close();
  tcp.close();
  resolver.cancel();
  process.exit();
}

// A port that is free for both kinds.
(function listen() {
  tcp.once('listening', () => {
    udp.once('error', () => tcp.close(listen));
    udp.bind(tcp.address().port, '127.0.0.1', main);
  });
  tcp.listen(0, '127.0.0.1');
})();
