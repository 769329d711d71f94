// tls.rootCertificates: Mozilla's list, to the byte.
const { createHash, X509Certificate } = require('node:crypto');
const { getCACertificates, rootCertificates } = require('node:tls');
console.log(rootCertificates.length, createHash('sha256').update(rootCertificates.join()).digest('hex'));
console.log(rootCertificates[0]);
console.log(rootCertificates.every((pem) => new X509Certificate(pem).ca), new Set(rootCertificates).size, Object.isFrozen(rootCertificates));
console.log(getCACertificates('bundled').length, getCACertificates('bundled')[1] === rootCertificates[1]);
