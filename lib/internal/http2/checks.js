'use strict';
// Checks of arguments, and of options of servers and clients.

const {
  codes: {
    ERR_HTTP2_INVALID_SETTING_VALUE, ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS, ERR_INVALID_ARG_TYPE,
  },
  hideStackFrames,
} = require('internal/errors');
const { validateBoolean, validateUint32 } = require('internal/validators');

const kMaxCustomSettings = 10;
const kMaxUint32 = 2 ** 32 - 1;
const kMaxWindow = 2 ** 31 - 1;
const kDefaultUnknownProtocolTimeout = 10_000; // ms

// undefined, or an object that is not an array.
const checkObject = hideStackFrames((value, name, types = 'Object') => {
  if (value === undefined) return;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new ERR_INVALID_ARG_TYPE(name, types, value);
  }
});

function checkArray(value, name) {
  if (value !== undefined && !Array.isArray(value)) throw new ERR_INVALID_ARG_TYPE(name, 'Array', value);
}

// ---- Settings ----

const kRanges = [
  ['headerTableSize', 0, kMaxUint32],
  ['initialWindowSize', 0, kMaxWindow],
  ['maxFrameSize', 16384, 2 ** 24 - 1],
  ['maxConcurrentStreams', 0, kMaxUint32],
  ['maxHeaderListSize', 0, kMaxUint32],
  ['maxHeaderSize', 0, kMaxUint32],
];

function checkRange(name, value, min, max) {
  if (value !== undefined && (typeof value !== 'number' || value < min || value > max)) {
    throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError(name, value, min, max);
  }
}

const checkSettings = hideStackFrames((settings) => {
  if (settings === undefined) return;
  const { customSettings } = settings;
  checkObject(customSettings, 'customSettings', 'Number');
  if (customSettings) {
    const entries = Object.entries(customSettings);
    if (entries.length > kMaxCustomSettings) throw new ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
    for (const [id, value] of entries) {
      checkRange('customSettings:id', Number(id), 0, 0xffff);
      checkRange('customSettings:value', Number(value), 0, kMaxUint32);
    }
  }
  for (const [name, min, max] of kRanges) checkRange(name, settings[name], min, max);
  for (const name of ['enablePush', 'enableConnectProtocol']) {
    const value = settings[name];
    if (value !== undefined && typeof value !== 'boolean') {
      throw new ERR_HTTP2_INVALID_SETTING_VALUE(name, value);
    }
  }
});

// ---- Options ----

// Checks what servers and clients have in common; `options` is a copy already.
function completeOptions(options) {
  checkArray(options.remoteCustomSettings, 'options.remoteCustomSettings');
  if (options.remoteCustomSettings) {
    options.remoteCustomSettings = [...options.remoteCustomSettings];
    if (options.remoteCustomSettings.length > kMaxCustomSettings) {
      throw new ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
    }
  }
}

function completeStrictness(options) {
  if (options.strictSingleValueFields === undefined) options.strictSingleValueFields = true;
  else validateBoolean(options.strictSingleValueFields, 'options.strictSingleValueFields');
}

// Of a server: a copy with what was left out.
function serverOptions(options) {
  checkObject(options, 'options');
  options = { ...options };
  checkObject(options.settings, 'options.settings');
  options.settings = { ...options.settings };
  completeOptions(options);
  for (const name of ['maxSessionInvalidFrames', 'maxSessionRejectedStreams', 'unknownProtocolTimeout']) {
    if (options[name] !== undefined) validateUint32(options[name], `options.${name}`);
  }
  options.unknownProtocolTimeout ??= kDefaultUnknownProtocolTimeout;
  completeStrictness(options);
  // Of the server of HTTP/1 that allowHTTP1 asks for. The two that have names of their own are older.
  options.http1Options = { ...options.http1Options };
  options.http1Options.IncomingMessage ??= options.Http1IncomingMessage;
  options.http1Options.ServerResponse ??= options.Http1ServerResponse;
  const { Http2ServerRequest } = require('internal/http2/request');
  const { Http2ServerResponse } = require('internal/http2/response');
  options.Http2ServerRequest ||= Http2ServerRequest;
  options.Http2ServerResponse ||= Http2ServerResponse;
  return options;
}

// Names of protocols for the handshake.
function withProtocols(options, servername) {
  if (!options.ALPNCallback) {
    options.ALPNProtocols = ['h2'];
    if (options.allowHTTP1 === true) options.ALPNProtocols.push('http/1.1');
  }
  if (servername !== undefined && !options.servername) options.servername = servername;
  return options;
}

module.exports = {
  checkArray,
  checkObject,
  checkSettings,
  completeOptions,
  completeStrictness,
  kMaxCustomSettings,
  serverOptions,
  withProtocols,
};
