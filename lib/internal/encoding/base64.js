'use strict';
// The globals atob and btoa.

const { codes: { ERR_MISSING_ARGS } } = require('internal/errors');

function invalidCharacter(message) {
  const DOMException = require('internal/errors/dom_exception');
  return new DOMException(message, 'InvalidCharacterError');
}

// 1 for the 64 characters
const alphabet = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/') {
  alphabet[character.charCodeAt(0)] = 1;
}

function atob(input) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('input');
  const text = `${input}`.replace(/[\t\n\f\r ]+/g, '');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const end = text.length - padding;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128 || alphabet[code] === 0) throw invalidCharacter('Invalid character');
  }
  if (end % 4 === 1) throw invalidCharacter('The string to be decoded is not correctly encoded.');
  if (padding > 0 && text.length % 4 !== 0) throw invalidCharacter('Invalid character');
  return Buffer.from(text, 'base64').latin1Slice();
}

function btoa(input) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('input');
  const text = `${input}`;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 255) throw invalidCharacter('Invalid character');
  }
  return Buffer.from(text, 'latin1').toString('base64');
}

module.exports = { atob, btoa };
