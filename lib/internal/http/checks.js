'use strict';
// What a header may be called and may contain (RFC 9110), and how strict we are about it.

const {
  codes: { ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_CHAR, ERR_INVALID_HTTP_TOKEN },
  hideStackFrames,
} = require('internal/errors');
const { getOptionValue } = require('internal/options');
const { assignFunctionName } = require('internal/util');

const kToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// Visible characters, spaces, tabs, and the upper half of Latin-1.
const kNotInValue = /[^\t\x20-\x7e\x80-\xff]/;
// The Fetch standard's rule: any byte but NUL and the ends of lines.
// eslint-disable-next-line no-control-regex
const kNotInLenientValue = /[\0\n\r]|[^\0-\xff]/;

function checkIsHttpToken(text) {
  return kToken.test(text);
}

function checkInvalidHeaderChar(value, lenient = false) {
  return (lenient ? kNotInLenientValue : kNotInValue).test(value);
}

// The names of headers that programs set are few: once found valid, they are known.
const knownNames = new Set();
const kMostKnownNames = 512;

function isHeaderName(name) {
  if (typeof name !== 'string') return false;
  if (knownNames.has(name)) return true;
  if (!kToken.test(name)) return false;
  if (knownNames.size < kMostKnownNames && name.length < 64) knownNames.add(name);
  return true;
}

const validateHeaderName = assignFunctionName('validateHeaderName', hideStackFrames((name, label) => {
  if (!isHeaderName(name)) throw new ERR_INVALID_HTTP_TOKEN(label || 'Header name', name);
}));

const validateHeaderValue = assignFunctionName('validateHeaderValue',
  hideStackFrames((name, value, lenient) => {
    if (value === undefined) throw new ERR_HTTP_INVALID_HEADER_VALUE(value, name);
    if (checkInvalidHeaderChar(value, lenient)) throw new ERR_INVALID_CHAR('header content', name);
  }));

let warned = false;

// --insecure-http-parser
function isLenient() {
  const insecure = getOptionValue('--insecure-http-parser') === true;
  if (insecure && !warned) {
    warned = true;
    process.emitWarning('Using insecure HTTP parsing');
  }
  return insecure;
}

// For the parser of a server or a request with these options.
function calculateLenientFlags(httpValidation, insecureHTTPParser) {
  const { HTTPParser } = binding('http_parser');
  switch (httpValidation) {
    case 'strict': return HTTPParser.kLenientNone;
    case 'relaxed': return HTTPParser.kLenientHeaderValueRelaxed;
    case 'insecure': return HTTPParser.kLenientAll;
  }
  const lenient = insecureHTTPParser === undefined ? isLenient() : insecureHTTPParser;
  return lenient ? HTTPParser.kLenientAll : HTTPParser.kLenientNone;
}

module.exports = {
  calculateLenientFlags,
  checkInvalidHeaderChar,
  checkIsHttpToken,
  isHeaderName,
  isLenient,
  validateHeaderName,
  validateHeaderValue,
};
