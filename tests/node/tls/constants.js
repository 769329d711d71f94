'use strict';
// require('constants') has those of OpenSSL too.
const constants = require('constants');
const { constants: ofCrypto } = require('crypto');

console.log(Object.isFrozen(constants));
for (const name of Object.keys(constants)) {
  if (name in ofCrypto) console.log(name, constants[name] === ofCrypto[name]);
}
console.log('defaultCipherList' in constants);
