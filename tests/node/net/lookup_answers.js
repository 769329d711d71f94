'use strict';
// Answers of the option `lookup` that are none.
const net = require('net');

const answers = {
  list: (host, options, callback) => callback(null, ['127.0.0.1'], 4),
  nothing: (host, options, callback) => callback(null, undefined, 4),
  word: (host, options, callback) => callback(null, 'nowhere', 4),
  family: (host, options, callback) => callback(null, '127.0.0.1', 5),
  error: (host, options, callback) => callback(Object.assign(new Error('no such name'), { code: 'ENONAME' })),
};
(async () => {
  for (const [name, lookup] of Object.entries(answers)) {
    await new Promise((resolve) => {
      const socket = net.connect({ port: 1, host: 'somewhere.invalid', family: 4, lookup });
      socket.on('lookup', (error, address, family, host) => console.log('lookup', error?.code, address, family, host));
      socket.on('error', (error) => console.log(name, error.code, error.message));
      socket.on('close', (hadError) => {
        console.log('close', hadError);
        resolve();
      });
    });
  }
})();
