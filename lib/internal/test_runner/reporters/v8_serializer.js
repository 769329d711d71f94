'use strict';
// For the process that runs this file of tests: internal/test_runner/run/file_test reads it.

const { DefaultSerializer } = require('v8');
const { Buffer } = require('buffer');
const { toBytes } = require('internal/test_runner/error_bytes');

function messageOf(serializer, item) {
  serializer.writeHeader();
  const sizeAt = 2; // after the header
  serializer.writeRawBytes(Buffer.alloc(4));
  serializer.writeHeader();
  serializer.writeValue(item);
  const message = serializer.releaseBuffer();
  message.writeUInt32BE(message.length - sizeAt - 4, sizeAt);
  return message;
}

module.exports = async function* serialize(source) {
  const serializer = new DefaultSerializer();
  for await (const item of source) {
    const details = item.data?.details;
    const error = details?.error;
    if (error) details.error = toBytes(error);
    const message = messageOf(serializer, item);
    if (error) details.error = error; // other reporters see the same object
    yield message;
  }
};
