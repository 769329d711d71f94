'use strict';
// The kind of handle for a descriptor: 'TCP', 'TTY', 'UDP', 'FILE', 'PIPE', 'UNKNOWN', 'INVALID'.

const { guessHandleType } = binding('util');

module.exports = { guessHandleType };
