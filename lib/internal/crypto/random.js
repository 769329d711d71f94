'use strict';
// Node's own internal/crypto/random, except for the two functions that programs call most: few random bytes, and identifiers.
// Both take from what was made ahead, as Node does for identifiers: asking OpenSSL for each costs far more than the bytes.

const base = require('internal/crypto/node_random');
const { FastBuffer } = require('internal/buffer');
const { uncurry } = require('internal/util/safe');

const { fillRandom, makeUuids } = binding('crypto');
const slice = uncurry(String.prototype.slice);

const kFewBytes = 64;
const kUuidLength = 36;
const kUuids = 64; // made at a time

const pool = new Uint8Array(4096);
let poolOffset = pool.length;

function randomBytes(size, callback) {
  if (callback !== undefined || typeof size !== 'number' || !(size > 0 && size <= kFewBytes) || size >>> 0 !== size) {
    return base.randomBytes(size, callback);
  }
  if (poolOffset + size > pool.length) {
    fillRandom(pool, 0, pool.length);
    poolOffset = 0;
  }
  const bytes = new FastBuffer(size);
  for (let i = 0; i < size; i++) {
    bytes[i] = pool[poolOffset];
    pool[poolOffset++] = 0; // no other code gets it
  }
  return bytes;
}

// Identifiers one after the other. A slice is not a copy, so that each costs one small object.
let uuids = '';
let uuidOffset = 0;

function randomUUID(options) {
  if (options !== undefined) return base.randomUUID(options);
  if (uuidOffset === uuids.length) {
    uuids = makeUuids(kUuids);
    uuidOffset = 0;
  }
  return slice(uuids, uuidOffset, uuidOffset += kUuidLength);
}

module.exports = { ...base, randomBytes, randomUUID };
