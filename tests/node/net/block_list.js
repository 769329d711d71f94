'use strict';
// Recorded with Node 26: Node 20 has fewer methods. The order of addresses in `rules` is open.
const net = require('net');
const { BlockList, SocketAddress } = net;

const attempt = (name, body) => {
  try {
    console.log(name, body());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const sorted = (list) => [...list.rules].sort().join(' | ');

const list = new BlockList();
console.log(list, list.size, list.rules);
list.addAddress('1.2.3.4');
list.addAddress('FE80::0:1', 'IPV6');
list.addAddress(new SocketAddress({ address: '9.9.9.9', port: 3 }));
list.addRange('1.1.1.1', '1.1.1.9');
list.addRange('fe80::10', 'fe80::1f', 'ipv6');
list.addSubnet('8.8.8.0', 24);
list.addSubnet('2001:db8::', 33, 'ipv6');
list.addAddresses(['5.5.5.5', '6.6.6.6']);
list.addCIDRs(['10.1.2.3/8', 'fc00::/7']);
console.log(list.size, sorted(list));
for (const [address, family] of [
  ['1.2.3.4'], ['1.2.3.5'], ['1.1.1.1'], ['1.1.1.9'], ['1.1.1.10'], ['8.8.8.255'], ['8.8.9.0'], ['10.255.0.1'],
  ['::ffff:1.2.3.4', 'ipv6'], ['::ffff:102:304', 'ipv6'], ['::ffff:8.8.8.7', 'ipv6'], ['::ffff:1.1.1.2', 'ipv6'],
  ['fe80::1', 'ipv6'], ['fe80::1%lo', 'ipv6'], ['fe80::1f', 'IPv6'], ['fe80::20', 'ipv6'], ['2001:db8:7fff::', 'ipv6'],
  ['2001:db8:8000::', 'ipv6'], ['fdff::1', 'ipv6'], ['1.2.3.4', 'ipv6'], ['fe80::1'], ['nonsense'], ['', 'ipv6'],
  [new SocketAddress({ address: '9.9.9.9' })], ['1.2.3.4', 'nonsense'],
]) attempt(`check ${typeof address === 'string' ? address : 'object'} ${family}`, () => list.check(address, family));

const wide = new BlockList();
wide.addRange('::', 'ffff::', 'ipv6');
console.log(wide.check('1.2.3.4'), wide.check('::1', 'ipv6'));
wide.addSubnet('::', 8, 'ipv6');
console.log(wide.check('1.2.3.4'));

list.removeAddress('1.2.3.4');
list.removeAddress('7.7.7.7');
list.removeRange('1.1.1.1', '1.1.1.9');
list.removeSubnet('8.8.8.0', 24);
list.removeCIDR('fc00::/7');
console.log(list.size, sorted(list));

for (const [method, ...args] of [
  ['addAddress'], ['addAddress', 'x'], ['addAddress', '1.2.3.4', 'foo'], ['addAddress', '1.2.3.4', 1], ['addAddress', '::1'],
  ['addAddresses', 'x'], ['addAddresses', ['7.7.7.7', 'x']], ['addAddresses', [1]],
  ['addRange'], ['addRange', '1.1.1.1'], ['addRange', '1.1.1.2', '1.1.1.1'], ['addRange', '1.1.1.1', 'x'],
  ['addSubnet'], ['addSubnet', '1.1.1.1'], ['addSubnet', '1.1.1.1', 33], ['addSubnet', '::', 129, 'ipv6'],
  ['addSubnet', '1.1.1.1', 1.5], ['addSubnet', '1.1.1.1', NaN], ['addSubnet', 'x', 1],
  ['addCIDR'], ['addCIDR', '10.0.0.0'], ['addCIDR', '10.0.0.0/'], ['addCIDR', '10.0.0.0/08'], ['addCIDR', '10.0.0.0/33'],
  ['addCIDR', 'x/8'], ['addCIDRs', 1], ['addCIDRs', ['11.0.0.0/8', 'x']], ['removeAddress', 'x'], ['removeSubnet', '1.1.1.1', 99],
  ['check'], ['check', 'x', 1], ['fromJSON', 1], ['fromJSON', [1]], ['fromJSON', '"x"'], ['fromJSON', ['Subnet: IPv4 1.1.1.1/99']],
]) attempt(`${method} ${JSON.stringify(args)}`, () => list[method](...args));
console.log(list.size);

const copy = new BlockList();
copy.fromJSON(list.toJSON());
copy.fromJSON(JSON.stringify(['Address: IPv4 4.4.4.4', 'nonsense', 'Address: IPv4 x', 'Range: IPv6 ::1-::5']));
console.log(copy.size, sorted(copy));
const clone = structuredClone(copy);
console.log(BlockList.isBlockList(clone), clone instanceof BlockList, sorted(clone) === sorted(copy), BlockList.isBlockList({}));
copy.clear();
console.log(copy.size, copy, BlockList.PRIVATE_RANGES);

for (const blockList of [1, {}, null]) {
  attempt('server', () => net.createServer({ blockList }).blockList);
  attempt('socket', () => new net.Socket({ blockList }).blockList);
}

// In use.
const local = new BlockList();
local.addAddresses(['127.0.0.1', '127.0.0.2']);
const lookup = (host, options, callback) => {
  callback(null, options.all ? [{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }] : '127.0.0.1', 4);
};
const refused = (name, options) => new Promise((resolve) => {
  const socket = net.connect({ port: 1, blockList: local, ...options });
  socket.on('connectionAttempt', (...args) => console.log(name, 'attempt', ...args));
  socket.on('error', (error) => console.log(name, error.code, error.message, error.errors?.map(({ message }) => message)));
  socket.on('close', resolve);
});
(async () => {
  await refused('address', { host: '127.0.0.1' });
  await refused('name', { host: 'x', lookup, family: 4 });
  await refused('names', { host: 'x', lookup });
  const server = net.createServer({ blockList: local }, () => console.log('connection'));
  server.on('drop', () => console.log('drop'));
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1').resume();
    client.on('error', () => {});
    client.on('close', () => {
      console.log('turned away');
      server.close();
    });
  });
})();
