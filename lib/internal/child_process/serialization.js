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
    const kind = this.readUint32();
    if (kind === kView) return super._readHostObject();
    if (kind !== kPlain) throw Object.assign(new Error('Invalid host object tag'), { code: 'ERR_INVALID_STATE' });
    return this.readValue();
  }
}

class AdvancedReader {
  #chunks = []; // of a message that is not complete
  #size = 0;
  #needed = kLengthSize; // before there is anything to do

  get isInMessage() {
    return this.#size > 0;
  }

  read(bytes) {
    this.#chunks.push(bytes);
    this.#size += bytes.length;
    const messages = [];
    if (this.#size < this.#needed) return messages;
    let all = this.#chunks.length === 1 ? bytes : Buffer.concat(this.#chunks);
    this.#needed = kLengthSize;
    while (all.length >= kLengthSize) {
      const end = kLengthSize + new DataView(all.buffer, all.byteOffset).getUint32(0);
      if (all.length < end) {
        this.#needed = end;
        break;
      }
      const deserializer = new ChannelDeserializer(all.subarray(kLengthSize, end));
      all = all.subarray(end);
      deserializer.readHeader();
      messages.push(deserializer.readValue());
    }
    this.#chunks = all.length === 0 ? [] : [all];
    this.#size = all.length;
    return messages;
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

  read(bytes) {
    const lines = this.#decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).split('\n');
    lines[0] = this.#text + lines[0];
    this.#text = lines.pop();
    return lines.map((line) => JSON.parse(line));
  }
}

function writeJson(message) {
  return Buffer.from(`${JSON.stringify(message)}\n`);
}

module.exports = {
  advanced: { Reader: AdvancedReader, write: writeAdvanced },
  json: { Reader: JsonReader, write: writeJson },
};
