'use strict';
// The numbers by which C++ knows the encodings. They are Node's, because programs can see them in the state of a StringDecoder.

const { Encoding } = require('internal/native/enums');

// 'buffer' is not an encoding in C++, but has a number in Node.
module.exports = { encodingNumbers: { __proto__: null, ...Encoding, buffer: 6 } };
