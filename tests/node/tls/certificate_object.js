'use strict';
// getPeerCertificate() and its kin.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

const server = pair({}, (socket) => {
  note('server', JSON.stringify(socket.getPeerCertificate()), socket.getPeerX509Certificate());
  note('server', socket.getCertificate().subject.CN);
  socket.end();
}, (options) => {
  const socket = tls.connect(options, () => {
    const certificate = socket.getPeerCertificate();
    note('client', Object.keys(certificate));
    const { subject, issuer, subjectaltname, ca, bits, asn1Curve, nistCurve, valid_to: validTo, modulus } = certificate;
    note('client', JSON.stringify({ subject, issuer, subjectaltname, ca, bits, asn1Curve, nistCurve, validTo, modulus }));
    note('client', certificate.fingerprint256, certificate.fingerprint512.length, certificate.serialNumber.length);
    note('client', certificate.raw.length, certificate.pubkey.length, certificate.issuerCertificate);
    const detailed = socket.getPeerCertificate(true);
    const root = detailed.issuerCertificate;
    note('client', root.subject.CN, root.issuerCertificate === root, root.ca);
    note('client', JSON.stringify(socket.getCertificate()), JSON.stringify(socket.getEphemeralKeyInfo().type));
  });
  socket.resume();
  socket.on('close', () => server.close());
});
