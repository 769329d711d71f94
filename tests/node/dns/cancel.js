'use strict';
// cancel(), and servers that cannot be changed while questions are under way.
const dgram = require('dgram');
const dns = require('dns');
const silent = dgram.createSocket('udp4');
silent.bind(0, '127.0.0.1', () => {
  const resolver = new dns.Resolver();
  resolver.setServers([`127.0.0.1:${silent.address().port}`]);
  let left = 2;
  const done = (error) => {
    console.log(error.code, error.syscall, error.hostname);
    if (--left === 0) silent.close();
  };
  resolver.resolve4('a.example', done);
  resolver.resolveTxt('b.example', done);
  try {
    resolver.setServers(['127.0.0.1']);
  } catch (error) {
    console.log(error.code, error.message);
  }
  setImmediate(() => {
    console.log('cancel');
    resolver.cancel();
  });
});
