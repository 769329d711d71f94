'use strict';
// RFC 9106, appendix A.
const { argon2, argon2Sync } = require('node:crypto');

const parameters = {
  message: Buffer.alloc(32, 1), nonce: Buffer.alloc(16, 2), secret: Buffer.alloc(8, 3), associatedData: Buffer.alloc(12, 4),
  parallelism: 4, tagLength: 32, memory: 32, passes: 3,
};
for (const name of ['argon2d', 'argon2i', 'argon2id']) console.log(name, argon2Sync(name, parameters).toString('hex'));
function attempt(label, change, name = 'argon2id') {
  try {
    console.log(label, argon2Sync(name, { ...parameters, ...change }).toString('hex'));
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
attempt('plain', { secret: undefined, associatedData: undefined, parallelism: 1, memory: 8, passes: 1, tagLength: 4 });
attempt('text', { message: '', nonce: '12345678' });
attempt('name', {}, 'argon2');
attempt('nonce', { nonce: '1234567' });
attempt('memory', { memory: 31 });
attempt('passes', { passes: 0 });
attempt('lanes', { parallelism: 0 });
attempt('tag', { tagLength: 3 });
attempt('message', { message: undefined });
attempt('secret', { secret: 1 });
argon2('argon2id', parameters, (error, tag) => console.log(error, tag.toString('base64')));
