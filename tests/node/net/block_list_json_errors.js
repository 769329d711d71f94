// A list from JSON in which one entry is wrong: those before it are there.
'use strict';
const net = require('net');

for (const data of [
  ['Address: IPv4 9.9.9.9', 'Range: IPv4 1.1.1.3-1.1.1.1', 'Address: IPv4 8.8.8.8'],
  ['Range: IPv4 1.1.1.1-1.1.1.3', 'nonsense', 'Range: IPv6 ::2-::1'],
  ['Range: IPv4 1.1.1.1-1.1.1.1'],
]) {
  const list = new net.BlockList();
  try {
    list.fromJSON(data);
  } catch ({ name, code, message }) {
    console.log(name, code, message.split('. Received')[0]);
  }
  console.log(list.rules, list.check('9.9.9.9'), list.check('1.1.1.2'));
}
