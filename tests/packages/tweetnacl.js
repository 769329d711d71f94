'use strict';
const assert = require('node:assert');
const { createPrivateKey, createPublicKey, sign, verify } = require('node:crypto');
const nacl = require('tweetnacl');

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const message = Buffer.from('a message');
const pair = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(7));
const signature = nacl.sign.detached(message, pair.secretKey);
console.log(hex(pair.publicKey), hex(signature), hex(nacl.hash(message)));

// The same keys in node:crypto.
const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(pair.publicKey).toString('base64url') };
assert.ok(verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature));
const d = Buffer.alloc(32, 7).toString('base64url');
assert.strictEqual(hex(sign(null, message, createPrivateKey({ key: { ...jwk, d }, format: 'jwk' }))), hex(signature));

const alice = nacl.box.keyPair();
const bob = nacl.box.keyPair();
const nonce = nacl.randomBytes(24);
const boxed = nacl.box(message, nonce, bob.publicKey, alice.secretKey);
console.log(Buffer.from(nacl.box.open(boxed, nonce, alice.publicKey, bob.secretKey)).toString());
boxed[3] ^= 1;
console.log(nacl.box.open(boxed, nonce, alice.publicKey, bob.secretKey));
console.log(hex(nacl.secretbox(message, new Uint8Array(24), new Uint8Array(32))));
