// rondo-test: option=--permission option=--allow-fs-read=* option=--allow-fs-write=*
// No extensions of SQLite, no keys of OpenSSL's stores; rmSync() says what is denied.
const { createPrivateKey, generateKeyPairSync } = require('crypto');
const dc = require('diagnostics_channel');
const { DatabaseSync } = require('node:sqlite');
const fs = require('fs');

dc.subscribe('node:permission-model:openssl-store', (message) => console.log(message));
function show(fn) {
  try {
    console.log(typeof fn());
  } catch ({ name, code, message, permission, resource }) {
    console.log(name, code, message, permission, resource);
  }
}

show(() => new DatabaseSync(':memory:', { allowExtension: true }));
show(() => new DatabaseSync(':memory:'));
show(() => createPrivateKey(new URL(`file://${__filename}`)));
show(() => createPrivateKey({ key: new URL('pkcs11:object=key;pin-value=secret') }));
show(() => generateKeyPairSync('ed25519').privateKey);
process.permission.drop('fs.write');
show(() => fs.rmSync(`${__dirname}/none`, { recursive: true }));
show(() => fs.rmSync(`${__dirname}`, { recursive: true, force: true }));
