'use strict';
// What is behind a descriptor, by the name of its kind.

const kTypes = ['TCP', 'TTY', 'UDP', 'FILE', 'PIPE', 'UNKNOWN', 'INVALID'];

function guessHandleType(fd) {
  return kTypes[binding('util').guessHandleType(fd)];
}

module.exports = { guessHandleType };
