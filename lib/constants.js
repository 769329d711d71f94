'use strict';
// All constants of the system in one object; what they belong to is better asked for them.

const { constants: fs } = require('fs');
const { constants: os } = require('os');

const { constants: crypto } = internalBinding('crypto');

module.exports = Object.freeze({
  ...os.dlopen,
  ...os.errno,
  ...os.priority,
  ...os.signals,
  ...fs,
  ...crypto,
});
