'use strict';
// Buffer's methods that write numbers. Each returns the offset after what it wrote.

const { checkByteLength, checkType, offsetError, valueError } = require('internal/buffer/bounds');

const floatBytes = new Uint8Array(8);
const float32 = new Float32Array(floatBytes.buffer);
const float64 = new Float64Array(floatBytes.buffer);

// The value is complained of before the offset, except where it is one byte.
function check(buffer, value, offset, min, max, bytes) {
  if (value > max || value < min) throw valueError(value, min, max, bytes);
  checkType(offset, 'offset');
  if (buffer[offset] === undefined || buffer[offset + bytes - 1] === undefined) {
    throw offsetError(offset, buffer.length - bytes);
  }
}

function put8(buffer, value, offset, min, max) {
  value = +value;
  checkType(offset, 'offset');
  check(buffer, value, offset, min, max, 1);
  buffer[offset] = value;
  return offset + 1;
}

function put16LE(buffer, value, offset, min, max) {
  value = +value;
  check(buffer, value, offset, min, max, 2);
  buffer[offset] = value;
  buffer[offset + 1] = value >>> 8;
  return offset + 2;
}

function put16BE(buffer, value, offset, min, max) {
  value = +value;
  check(buffer, value, offset, min, max, 2);
  buffer[offset] = value >>> 8;
  buffer[offset + 1] = value;
  return offset + 2;
}

function put32LE(buffer, value, offset, min, max) {
  value = +value;
  check(buffer, value, offset, min, max, 4);
  buffer[offset] = value;
  buffer[offset + 1] = value >>> 8;
  buffer[offset + 2] = value >>> 16;
  buffer[offset + 3] = value >>> 24;
  return offset + 4;
}

function put32BE(buffer, value, offset, min, max) {
  value = +value;
  check(buffer, value, offset, min, max, 4);
  buffer[offset] = value >>> 24;
  buffer[offset + 1] = value >>> 16;
  buffer[offset + 2] = value >>> 8;
  buffer[offset + 3] = value;
  return offset + 4;
}

// ---- Fixed widths ----

function writeUInt8(value, offset = 0) {
  return put8(this, value, offset, 0, 0xff);
}

function writeInt8(value, offset = 0) {
  return put8(this, value, offset, -0x80, 0x7f);
}

function writeUInt16LE(value, offset = 0) {
  return put16LE(this, value, offset, 0, 0xffff);
}

function writeUInt16BE(value, offset = 0) {
  return put16BE(this, value, offset, 0, 0xffff);
}

function writeInt16LE(value, offset = 0) {
  return put16LE(this, value, offset, -0x8000, 0x7fff);
}

function writeInt16BE(value, offset = 0) {
  return put16BE(this, value, offset, -0x8000, 0x7fff);
}

function writeUInt32LE(value, offset = 0) {
  return put32LE(this, value, offset, 0, 0xffffffff);
}

function writeUInt32BE(value, offset = 0) {
  return put32BE(this, value, offset, 0, 0xffffffff);
}

function writeInt32LE(value, offset = 0) {
  return put32LE(this, value, offset, -0x80000000, 0x7fffffff);
}

function writeInt32BE(value, offset = 0) {
  return put32BE(this, value, offset, -0x80000000, 0x7fffffff);
}

// ---- One to six bytes ----

// The high part is a number of its own: shifts see 32 bits.
function putLE(buffer, value, offset, byteLength, min, max) {
  value = +value;
  if (byteLength === 1) checkType(offset, 'offset');
  check(buffer, value, offset, min, max, byteLength);
  const high = Math.floor(value / 2 ** 32);
  for (let i = 0; i < byteLength; i++) {
    buffer[offset + i] = i < 4 ? value >>> (8 * i) : high >>> (8 * (i - 4));
  }
  return offset + byteLength;
}

function putBE(buffer, value, offset, byteLength, min, max) {
  value = +value;
  if (byteLength === 1) checkType(offset, 'offset');
  check(buffer, value, offset, min, max, byteLength);
  const high = Math.floor(value / 2 ** 32);
  for (let i = 0; i < byteLength; i++) {
    buffer[offset + byteLength - 1 - i] = i < 4 ? value >>> (8 * i) : high >>> (8 * (i - 4));
  }
  return offset + byteLength;
}

function writeUIntLE(value, offset, byteLength) {
  checkByteLength(byteLength);
  return putLE(this, value, offset, byteLength, 0, 2 ** (8 * byteLength) - 1);
}

function writeUIntBE(value, offset, byteLength) {
  checkByteLength(byteLength);
  return putBE(this, value, offset, byteLength, 0, 2 ** (8 * byteLength) - 1);
}

function writeIntLE(value, offset, byteLength) {
  checkByteLength(byteLength);
  const half = 2 ** (8 * byteLength - 1);
  return putLE(this, value, offset, byteLength, -half, half - 1);
}

function writeIntBE(value, offset, byteLength) {
  checkByteLength(byteLength);
  const half = 2 ** (8 * byteLength - 1);
  return putBE(this, value, offset, byteLength, -half, half - 1);
}

// ---- BigInt ----

const kMaxUint64 = 2n ** 64n - 1n;
const kMinInt64 = -(2n ** 63n);
const kMaxInt64 = 2n ** 63n - 1n;

function putWord(buffer, value, offset, step) {
  for (let i = 0; i < 4; i++) {
    buffer[offset + step * i] = value;
    value >>>= 8;
  }
}

function putBigLE(buffer, value, offset, min, max) {
  check(buffer, value, offset, min, max, 8);
  putWord(buffer, Number(value & 0xffffffffn), offset, 1);
  putWord(buffer, Number(value >> 32n & 0xffffffffn), offset + 4, 1);
  return offset + 8;
}

function putBigBE(buffer, value, offset, min, max) {
  check(buffer, value, offset, min, max, 8);
  putWord(buffer, Number(value & 0xffffffffn), offset + 7, -1);
  putWord(buffer, Number(value >> 32n & 0xffffffffn), offset + 3, -1);
  return offset + 8;
}

function writeBigUInt64LE(value, offset = 0) {
  return putBigLE(this, value, offset, 0n, kMaxUint64);
}

function writeBigUInt64BE(value, offset = 0) {
  return putBigBE(this, value, offset, 0n, kMaxUint64);
}

function writeBigInt64LE(value, offset = 0) {
  return putBigLE(this, value, offset, kMinInt64, kMaxInt64);
}

function writeBigInt64BE(value, offset = 0) {
  return putBigBE(this, value, offset, kMinInt64, kMaxInt64);
}

// ---- Floating point: little endian is the order of the machine ----

function checkFloat(buffer, offset, bytes) {
  checkType(offset, 'offset');
  if (buffer[offset] === undefined || buffer[offset + bytes - 1] === undefined) {
    throw offsetError(offset, buffer.length - bytes);
  }
}

function writeFloatForwards(val, offset = 0) {
  val = +val;
  checkFloat(this, offset, 4);
  float32[0] = val;
  for (let i = 0; i < 4; i++) this[offset + i] = floatBytes[i];
  return offset + 4;
}

function writeFloatBackwards(val, offset = 0) {
  val = +val;
  checkFloat(this, offset, 4);
  float32[0] = val;
  for (let i = 0; i < 4; i++) this[offset + i] = floatBytes[3 - i];
  return offset + 4;
}

function writeDoubleForwards(val, offset = 0) {
  val = +val;
  checkFloat(this, offset, 8);
  float64[0] = val;
  for (let i = 0; i < 8; i++) this[offset + i] = floatBytes[i];
  return offset + 8;
}

function writeDoubleBackwards(val, offset = 0) {
  val = +val;
  checkFloat(this, offset, 8);
  float64[0] = val;
  for (let i = 0; i < 8; i++) this[offset + i] = floatBytes[7 - i];
  return offset + 8;
}

module.exports = {
  writeBigInt64BE, writeBigInt64LE, writeBigUInt64BE, writeBigUInt64LE,
  writeDoubleBackwards, writeDoubleForwards, writeFloatBackwards, writeFloatForwards,
  writeInt16BE, writeInt16LE, writeInt32BE, writeInt32LE, writeInt8, writeIntBE, writeIntLE,
  writeUInt16BE, writeUInt16LE, writeUInt32BE, writeUInt32LE, writeUInt8, writeUIntBE, writeUIntLE,
};
