'use strict';
// Conversions of Web IDL for node:stream/iter: Node's text, which takes that of AbortSignal from where Node's own abort_controller
// has put it.

const { isAbortSignal } = require('internal/abort_controller');
const { converters, createInterfaceConverter } = require('internal/webidl');

converters.AbortSignal ??= createInterfaceConverter('AbortSignal', isAbortSignal);

module.exports = require('internal/streams/iter/node_webidl');
