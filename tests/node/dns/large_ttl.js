// A time to live of more than 2^31 s, which c-ares keeps in a signed number.
const dgram = require('dgram');
const { Resolver } = require('dns');

const u16 = (number) => [number >> 8 & 255, number & 255];
const kAddresses = { 1: [10, 1, 2, 3], 28: [0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 1] };

const server = dgram.createSocket('udp4', (query, { port, address }) => {
  const end = query.indexOf(0, 12) + 5;
  const data = kAddresses[query.readUInt16BE(end - 4)];
  const record = [0xc0, 12, ...query.subarray(end - 4, end), 0xc0, 0, 0, 5, ...u16(data.length), ...data];
  const head = [...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0];
  server.send(Buffer.from([...head, ...query.subarray(12, end), ...record]), port, address);
});
server.bind(0, '127.0.0.1', () => {
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  resolver.resolve4('example.org', { ttl: true }, (error, addresses) => {
    console.log(error, addresses);
    resolver.resolve6('example.org', { ttl: true }, (error6, addresses6) => {
      console.log(error6, addresses6);
      server.close();
    });
  });
});
