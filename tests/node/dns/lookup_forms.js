// dns.lookup() of what needs no server.
const dns = require('node:dns');
(async () => {
  const look = (...args) => new Promise((resolve) => dns.lookup(...args, (error, ...rest) => {
    resolve(error ? [error.code, error.syscall, error.hostname] : rest);
  }));
  console.log(await look('127.0.0.1'));
  console.log(await look('::1'));
  console.log(await look('127.0.0.1', { all: true }));
  console.log(await look('127.0.0.1', { family: 6, hints: dns.V4MAPPED }));
  console.log(await look('', {}));
  console.log(await look('localhost', { family: 4 }));
  console.log(await look('name.invalid'));
  console.log(await dns.promises.lookup('127.0.0.1'), await dns.promises.lookup('::1', { all: true }));
  for (const args of [[5], ['x', { family: 5 }], ['x', { hints: 1 }], ['x', 'y'], ['x', { all: 1 }], ['x', { order: 'z' }], []]) {
    try {
      dns.lookup(...args, () => {});
      console.log('accepted');
    } catch (error) {
      console.log(error.name, error.code);
    }
  }
})();
