'use strict';
// TLS over a Duplex of JavaScript, and within TLS.
const { duplexPair } = require('stream');
const tls = require('tls');
const { ca, identity, note, pair } = require('./fixtures/pair');

const [a, b] = duplexPair();
const serverSide = new tls.TLSSocket(a, { isServer: true, ...identity('server') });
serverSide.setEncoding('utf8');
serverSide.on('secure', () => note('server', 'secure', serverSide.getProtocol()));
serverSide.on('data', (text) => {
  note('server', 'data', text);
  serverSide.end('bye');
});
const client = tls.connect({ socket: b, ca, servername: 'localhost' }, () => {
  note('client', 'secureConnect', client.authorized);
  client.write('over a duplex');
});
client.setEncoding('utf8');
client.on('data', (text) => note('client', 'data', text));
client.on('close', () => {
  note('client', 'close');
  within();
});

function within() {
  const server = pair({}, (outer) => {
    const inner = new tls.TLSSocket(outer, { isServer: true, ...identity('other') });
    inner.on('data', (chunk) => inner.end(`inner got ${chunk}`));
  }, (options) => {
    const outer = tls.connect(options, () => {
      const inner = tls.connect({ socket: outer, ca, servername: 'other.test' }, () => {
        note('client', 'inner', inner.authorized, inner.getPeerCertificate().subject.CN);
        inner.write('hello');
      });
      inner.on('data', (chunk) => note('client', String(chunk)));
      inner.on('close', () => server.close());
    });
  });
}
