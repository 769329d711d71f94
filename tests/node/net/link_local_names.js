'use strict';
// A server prefers addresses that are not link-local.
const dns = require('dns');
const net = require('net');

dns.lookup = (host, options, callback) => {
  console.log(host, options);
  callback(null, host === 'both' ? [{ address: 'fe80::1', family: 6 }, { address: '127.0.0.1', family: 4 }] :
    [{ address: 'fe80::1', family: 6 }]);
};
const server = net.createServer();
server.listen(0, 'both', () => {
  console.log(server.address().address);
  server.close();
});
const other = net.createServer();
other.on('error', ({ code, syscall, address }) => console.log(code, syscall, address));
other.listen(0, 'only');
