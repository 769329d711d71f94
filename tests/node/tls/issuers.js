'use strict';
// The chain of a peer as X509Certificate objects.
const fs = require('fs');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'keys', name));
const keys = { key: read('server-key.pem'), cert: read('server-cert.pem') };

const server = tls.createServer({ key: keys.key, cert: Buffer.concat([keys.cert, read('ca-cert.pem')]) }, (socket) => {
  console.log(socket.getX509Certificate().subject, socket.getPeerX509Certificate());
});
server.listen(0, () => {
  const socket = tls.connect({ port: server.address().port, rejectUnauthorized: false }, () => {
    const certificate = socket.getPeerX509Certificate();
    console.log(certificate.subject);
    console.log(certificate.issuerCertificate.subject, certificate.issuerCertificate.issuerCertificate);
    console.log(certificate.checkIssued(certificate.issuerCertificate));
    socket.end();
    server.close();
  });
});
