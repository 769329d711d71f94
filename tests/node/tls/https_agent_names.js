'use strict';
// Names of connections.
const https = require('https');

const agent = new https.Agent();
console.log(agent.getName());
console.log(agent.getName({ host: 'a', port: 1, localAddress: '127.0.0.1' }));
console.log(agent.getName({
  host: 'a', port: 1, ca: 'ca', cert: 'cert', clientCertEngine: 'e', ciphers: 'c', key: 'key', pfx: 'pfx',
  rejectUnauthorized: false, servername: 's', minVersion: 'min', maxVersion: 'max', secureProtocol: 'p', crl: 'crl',
  honorCipherOrder: true, ecdhCurve: 'curve', dhparam: 'dh', secureOptions: 0, sessionIdContext: 'id', sigalgs: 'sig',
  privateKeyIdentifier: 'pk', privateKeyEngine: 'pe',
}));
console.log(agent.defaultPort, agent.protocol, agent.maxCachedSessions, https.globalAgent instanceof https.Agent);
console.log(Object.keys(https).sort(), Object.getOwnPropertyNames(https.Agent.prototype).sort());
