'use strict';
// How undici requires: as everything else does, but where a module is not there yet (http, zlib, crypto), it gets what
// lets it load. What it cannot do then fails when it is asked to.

const standIns = {
  '__proto__': null,
  'node:http': { IncomingMessage: class IncomingMessage {}, STATUS_CODES: {}, maxHeaderSize: 16384 },
  'node:zlib': {},
};

const available = new Set(binding('builtins').ids());

module.exports = function requireForUndici(id) {
  if (standIns[id] !== undefined && !available.has(id.slice('node:'.length))) return standIns[id];
  if (id !== 'node:crypto') return require(id);
  try {
    return require(id);
  } catch (cause) {
    const error = new Error('There is no node:crypto yet', { cause });
    error.code = 'ERR_NO_CRYPTO'; // undici knows what to do then
    throw error;
  }
};
