'use strict';
// What servers and clients of HTTP have in common, under Node's names: packages require this.

const { HTTPParser, methods } = binding('http_parser');
const {
  calculateLenientFlags, checkInvalidHeaderChar, checkIsHttpToken, isLenient,
} = require('internal/http/checks');
const { freeParser, parsers, prepareError } = require('internal/http/parsers');
const { kIncomingMessage, kSkipPendingData } = require('internal/http/symbols');

module.exports = {
  _checkInvalidHeaderChar: checkInvalidHeaderChar,
  _checkIsHttpToken: checkIsHttpToken,
  chunkExpression: /(?:^|\W)chunked(?:$|\W)/i,
  continueExpression: /(?:^|\W)100-continue(?:$|\W)/i,
  CRLF: '\r\n',
  freeParser,
  methods,
  parsers,
  kIncomingMessage,
  HTTPParser,
  isLenient,
  calculateLenientFlags,
  prepareError,
  kSkipPendingData,
};
