'use strict';
// Recorded with Node 26: Node 20 has no SocketAddress.parse() and no toJSON().
const { SocketAddress } = require('net');
const { inspect } = require('util');

const attempt = (name, body) => {
  try {
    console.log(name, body());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};

for (const options of [
  undefined, {}, { address: '1.2.3.4', port: 5 }, { family: 'ipv6' }, { family: 'IPv6', address: 'FE80::1', port: '80', flowlabel: 5 },
  { address: '::1' }, { family: 'ipv6', address: '1.2.3.4' }, { port: -1 }, { port: 65536 }, { port: 'x' }, { port: null },
  { flowlabel: -1, family: 'ipv6' }, { flowlabel: 1 }, { flowlabel: 2 ** 32, family: 'ipv6' }, { flowlabel: '1', family: 'ipv6' },
  { address: 1 }, { address: '' }, { family: 'x' }, { family: 1 }, null, 1, 'x', [], { address: 'fe80::1%lo', family: 'ipv6' },
  { family: 'ipv6', address: '::ffff:1.2.3.4' }, { family: 'ipv6', address: '2001:0db8:0:0:1:0:0:1' },
  { family: 'ipv6', address: '1:0:0:2:0:0:0:3' }, { family: 'ipv6', address: '::1.2.3.4' }, { family: 'ipv6', address: '::5' },
  { family: 'ipv6', address: '1:2:3:4:5:6:7:8' }, { family: 'ipv6', address: '1:2:3:4:5:6:7::' }, { family: 'ipv6', address: '1:2:3:4:5:6:1.2.3.4' },
]) attempt(inspect(options), () => JSON.stringify(new SocketAddress(options)));

for (const text of [
  '1.2.3.4', '1.2.3.4:81', '1.2.3.4:80', '[::1]', '[::1]:8080', '::1', 'foo', '1.2.3.4:', '1.2.3.4:99999', '[::1]:x', '[::1', '',
  '127.1', '0x7f.1:5', 'user@1.2.3.4', '1.2.3.4:81/x', 'localhost:1', 1, null,
]) attempt(inspect(text), () => SocketAddress.parse(text));

const address = new SocketAddress({ address: '1.2.3.4', port: 7 });
console.log(address, inspect(address, { depth: -1 }), { a: { b: { c: address } } });
console.log(address.address, address.port, address.family, address.flowlabel, Object.keys(address));
const clone = structuredClone(address);
console.log(clone, clone instanceof SocketAddress, SocketAddress.isSocketAddress(clone), SocketAddress.isSocketAddress({}));
