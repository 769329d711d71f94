'use strict';
// The numbers by which C++ knows the encodings (enum class Encoding in text_codec.h). They are
// Node's, which lets them be seen: in the state of a StringDecoder.

module.exports = {
  encodingNumbers: {
    __proto__: null,
    ascii: 0, utf8: 1, base64: 2, utf16le: 3, latin1: 4, hex: 5, buffer: 6, base64url: 7,
  },
};
