'use strict';
// What a lookup is asked for: without a family, only addresses of families that this machine has.
const net = require('net');

const optionSets = [
  {}, { autoSelectFamily: false }, { family: 4 }, { family: 6 }, { family: 0 }, { family: 'IPv4' }, { hints: 8 },
  { hints: 0 }, { localAddress: '127.0.0.1' }, { family: 5 },
];
for (const options of optionSets) {
  const lookup = (host, asked) => console.log(JSON.stringify(options), host, asked);
  net.connect({ port: 1, host: 'name.test', lookup, ...options }).destroy();
}
