'use strict';
// How messages are written on the channel between a process and its child. Both forms are Node's,
// so that the other side may be Node: 'json', a line for each message, and 'advanced', V8's
// serialized form after its length.

const { Buffer } = require('buffer');
const { DefaultDeserializer, DefaultSerializer } = require('v8');
const { isArrayBufferView } = require('internal/util/types');

const kLengthSize = 4;

// ---- advanced ----

// How an object is written that V8 leaves to us.
const kView = 0; // bytes, as node:v8 writes them
const kPlain = 1; // its properties

class ChannelSerializer extends DefaultSerializer {
  _writeHostObject(object) {
    if (isArrayBufferView(object)) {
      this.writeUint32(kView);
      return super._writeHostObject(object);
    }
    this.writeUint32(kPlain);
    this.writeValue({ ...object });
    return undefined;
  }
}

class ChannelDeserializer extends DefaultDeserializer {
  _readHostObject() {
    return this.readUint32() === kView ? super._readHostObject() : this.readValue();
  }
}

class AdvancedReader {
  #bytes = Buffer.alloc(0);

  get isInMessage() {
    return this.#bytes.length > 0;
  }

  *read(bytes) {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    while (this.#bytes.length >= kLengthSize) {
      const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
      const end = kLengthSize + view.getUint32(0);
      if (this.#bytes.length < end) return;
      const deserializer = new ChannelDeserializer(this.#bytes.subarray(kLengthSize, end));
      this.#bytes = this.#bytes.subarray(end);
      deserializer.readHeader();
      yield deserializer.readValue();
    }
  }
}

function writeAdvanced(message) {
  const serializer = new ChannelSerializer();
  serializer.writeRawBytes(Buffer.alloc(kLengthSize));
  serializer.writeHeader();
  serializer.writeValue(message);
  const bytes = serializer.releaseBuffer();
  bytes.writeUInt32BE(bytes.length - kLengthSize, 0);
  return bytes;
}

// ---- json ----

class JsonReader {
  #decoder = new (require('string_decoder').StringDecoder)('utf8');
  #text = '';

  get isInMessage() {
    return this.#text.length > 0;
  }

  *read(bytes) {
    const lines = this.#decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).split('\n');
    lines[0] = this.#text + lines[0];
    this.#text = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

function writeJson(message) {
  return Buffer.from(`${JSON.stringify(message)}\n`);
}

module.exports = {
  advanced: { Reader: AdvancedReader, write: writeAdvanced },
  json: { Reader: JsonReader, write: writeJson },
};
