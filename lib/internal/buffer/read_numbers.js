'use strict';
// Buffer's methods that read numbers.
//
// They look at the bytes first: a missing one is undefined, which means that the offset is
// wrong without a comparison on the way of those that are right.

const { checkByteLength, checkType, offsetError } = require('internal/buffer/bounds');

const floatBytes = new Uint8Array(8);
const float32 = new Float32Array(floatBytes.buffer);
const float64 = new Float64Array(floatBytes.buffer);

// ---- Unsigned ----

function readUInt8(offset = 0) {
  checkType(offset, 'offset');
  const value = this[offset];
  if (value === undefined) throw offsetError(offset, this.length - 1);
  return value;
}

function readUInt16LE(offset = 0) {
  checkType(offset, 'offset');
  const first = this[offset];
  const last = this[offset + 1];
  if (first === undefined || last === undefined) throw offsetError(offset, this.length - 2);
  return first | last << 8;
}

function readUInt16BE(offset = 0) {
  checkType(offset, 'offset');
  const first = this[offset];
  const last = this[offset + 1];
  if (first === undefined || last === undefined) throw offsetError(offset, this.length - 2);
  return first << 8 | last;
}

function readUInt32LE(offset = 0) {
  checkType(offset, 'offset');
  const first = this[offset];
  const last = this[offset + 3];
  if (first === undefined || last === undefined) throw offsetError(offset, this.length - 4);
  return (first | this[offset + 1] << 8 | this[offset + 2] << 16 | last << 24) >>> 0;
}

function readUInt32BE(offset = 0) {
  checkType(offset, 'offset');
  const first = this[offset];
  const last = this[offset + 3];
  if (first === undefined || last === undefined) throw offsetError(offset, this.length - 4);
  return (first << 24 | this[offset + 1] << 16 | this[offset + 2] << 8 | last) >>> 0;
}

// ---- Signed ----

function readInt8(offset = 0) {
  checkType(offset, 'offset');
  const value = this[offset];
  if (value === undefined) throw offsetError(offset, this.length - 1);
  return value << 24 >> 24;
}

function readInt16LE(offset = 0) {
  checkType(offset, 'offset');
  const first = this[offset];
  const last = this[offset + 1];
  if (first === undefined || last === undefined) throw offsetError(offset, this.length - 2);
  return first | last << 24 >> 16;
}

function readInt16BE(offset = 0) {
  checkType(offset, 'offset');
  const first = this[offset];
  const last = this[offset + 1];
  if (first === undefined || last === undefined) throw offsetError(offset, this.length - 2);
  return first << 24 >> 16 | last;
}

function readInt32LE(offset = 0) {
  checkType(offset, 'offset');
  const first = this[offset];
  const last = this[offset + 3];
  if (first === undefined || last === undefined) throw offsetError(offset, this.length - 4);
  return first | this[offset + 1] << 8 | this[offset + 2] << 16 | last << 24;
}

function readInt32BE(offset = 0) {
  checkType(offset, 'offset');
  const first = this[offset];
  const last = this[offset + 3];
  if (first === undefined || last === undefined) throw offsetError(offset, this.length - 4);
  return first << 24 | this[offset + 1] << 16 | this[offset + 2] << 8 | last;
}

// ---- One to six bytes ----

function checkRange(buffer, offset, byteLength) {
  checkByteLength(byteLength);
  checkType(offset, 'offset');
  if (buffer[offset] === undefined || buffer[offset + byteLength - 1] === undefined) {
    throw offsetError(offset, buffer.length - byteLength);
  }
}

function unsignedLE(buffer, offset, byteLength) {
  let value = 0;
  for (let i = byteLength - 1; i >= 0; i--) value = value * 256 + buffer[offset + i];
  return value;
}

function unsignedBE(buffer, offset, byteLength) {
  let value = 0;
  for (let i = 0; i < byteLength; i++) value = value * 256 + buffer[offset + i];
  return value;
}

function toSigned(value, byteLength) {
  const half = 2 ** (8 * byteLength - 1);
  return value < half ? value : value - 2 * half;
}

function readUIntLE(offset, byteLength) {
  if (offset === undefined) checkType(offset, 'offset');
  checkRange(this, offset, byteLength);
  return unsignedLE(this, offset, byteLength);
}

function readUIntBE(offset, byteLength) {
  if (offset === undefined) checkType(offset, 'offset');
  checkRange(this, offset, byteLength);
  return unsignedBE(this, offset, byteLength);
}

function readIntLE(offset, byteLength) {
  if (offset === undefined) checkType(offset, 'offset');
  checkRange(this, offset, byteLength);
  return toSigned(unsignedLE(this, offset, byteLength), byteLength);
}

function readIntBE(offset, byteLength) {
  if (offset === undefined) checkType(offset, 'offset');
  checkRange(this, offset, byteLength);
  return toSigned(unsignedBE(this, offset, byteLength), byteLength);
}

// ---- BigInt ----

function wordLE(buffer, offset) {
  return (buffer[offset] | buffer[offset + 1] << 8 | buffer[offset + 2] << 16 |
    buffer[offset + 3] << 24) >>> 0;
}

function wordBE(buffer, offset) {
  return (buffer[offset] << 24 | buffer[offset + 1] << 16 | buffer[offset + 2] << 8 |
    buffer[offset + 3]) >>> 0;
}

function checkEight(buffer, offset) {
  checkType(offset, 'offset');
  if (buffer[offset] === undefined || buffer[offset + 7] === undefined) {
    throw offsetError(offset, buffer.length - 8);
  }
}

function readBigUInt64LE(offset = 0) {
  checkEight(this, offset);
  return (BigInt(wordLE(this, offset + 4)) << 32n) + BigInt(wordLE(this, offset));
}

function readBigUInt64BE(offset = 0) {
  checkEight(this, offset);
  return (BigInt(wordBE(this, offset)) << 32n) + BigInt(wordBE(this, offset + 4));
}

function readBigInt64LE(offset = 0) {
  checkEight(this, offset);
  return (BigInt(wordLE(this, offset + 4) | 0) << 32n) + BigInt(wordLE(this, offset));
}

function readBigInt64BE(offset = 0) {
  checkEight(this, offset);
  return (BigInt(wordBE(this, offset) | 0) << 32n) + BigInt(wordBE(this, offset + 4));
}

// ---- Floating point: little endian is the order of the machine ----

function readFloatForwards(offset = 0) {
  checkType(offset, 'offset');
  const first = this[offset];
  const last = this[offset + 3];
  if (first === undefined || last === undefined) throw offsetError(offset, this.length - 4);
  floatBytes[0] = first;
  floatBytes[1] = this[offset + 1];
  floatBytes[2] = this[offset + 2];
  floatBytes[3] = last;
  return float32[0];
}

function readFloatBackwards(offset = 0) {
  checkType(offset, 'offset');
  const first = this[offset];
  const last = this[offset + 3];
  if (first === undefined || last === undefined) throw offsetError(offset, this.length - 4);
  floatBytes[3] = first;
  floatBytes[2] = this[offset + 1];
  floatBytes[1] = this[offset + 2];
  floatBytes[0] = last;
  return float32[0];
}

function readDoubleForwards(offset = 0) {
  checkEight(this, offset);
  for (let i = 0; i < 8; i++) floatBytes[i] = this[offset + i];
  return float64[0];
}

function readDoubleBackwards(offset = 0) {
  checkEight(this, offset);
  for (let i = 0; i < 8; i++) floatBytes[7 - i] = this[offset + i];
  return float64[0];
}

module.exports = {
  readBigInt64BE, readBigInt64LE, readBigUInt64BE, readBigUInt64LE,
  readDoubleBackwards, readDoubleForwards, readFloatBackwards, readFloatForwards,
  readInt16BE, readInt16LE, readInt32BE, readInt32LE, readInt8, readIntBE, readIntLE,
  readUInt16BE, readUInt16LE, readUInt32BE, readUInt32LE, readUInt8, readUIntBE, readUIntLE,
};
