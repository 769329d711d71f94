'use strict';
// node:stream/consumers: the whole of a stream as one value.

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}

async function blob(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const { Blob } = require('buffer');
  return new Blob(chunks);
}

async function arrayBuffer(stream) {
  const { buffer, byteOffset, byteLength } = await collect(stream);
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

async function buffer(stream) {
  return Buffer.from(await arrayBuffer(stream));
}

async function text(stream) {
  const decoder = new TextDecoder();
  let result = '';
  for await (const chunk of stream) {
    result += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  }
  return result + decoder.decode();
}

async function json(stream) {
  return JSON.parse(await text(stream));
}

module.exports = { arrayBuffer, blob, buffer, json, text };
