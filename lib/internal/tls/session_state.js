'use strict';
// Sessions of clients, as programs keep them to resume them later. A session proves nothing about the name it was made
// for, so the name goes with it: a session is not resumed with another server than the one that was verified.

const kPrefix = Buffer.from('\0nodejs:tls:session:1\0');
const kLengthSize = 2;

function identityOf(options) {
  return options?.servername || options?.host || options?.socket?._host || 'localhost';
}

// What getSession() and the event 'session' give out.
function packSession(session, options) {
  if (!Buffer.isBuffer(session) || options?.isServer) return session;
  const name = Buffer.from(identityOf(options), 'utf8');
  const length = Buffer.allocUnsafe(kLengthSize);
  length.writeUInt16BE(name.length, 0);
  return Buffer.concat([kPrefix, length, name, session]);
}

// { name, session }, or undefined for what packSession() has not made.
function unpack(packed) {
  if (!Buffer.isBuffer(packed)) return undefined;
  const nameStart = kPrefix.length + kLengthSize;
  if (packed.length < nameStart || !packed.subarray(0, kPrefix.length).equals(kPrefix)) return undefined;
  const nameEnd = nameStart + packed.readUInt16BE(kPrefix.length);
  if (packed.length < nameEnd) return undefined;
  return { name: packed.toString('utf8', nameStart, nameEnd), session: packed.subarray(nameEnd) };
}

// The session to resume, or undefined if that would not be safe.
function sessionToResume(session, options) {
  if (typeof session === 'string') session = Buffer.from(session, 'latin1');
  if (options?.isServer) return session;
  const packed = unpack(session);
  if (packed !== undefined) return packed.name === identityOf(options) ? packed.session : undefined;
  // One of unknown origin is accepted only without verification.
  if (Buffer.isBuffer(session) && options?.rejectUnauthorized !== false) return undefined;
  return session;
}

module.exports = { identityOf, packSession, sessionToResume };
