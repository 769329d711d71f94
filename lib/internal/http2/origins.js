'use strict';
// The origins that a session speaks for (RFC 8336), as its client knows them.

const { URL } = require('internal/url');
const { kSocket, kState } = require('internal/http2/symbols');

// As URL.origin is; 'null' for what has none.
function originOf(text) {
  return new URL(text).origin;
}

function originsOf(session) {
  const state = session[kState];
  if (state.originSet !== undefined) return state.originSet;
  const { servername, remoteAddress, remoteFamily, remotePort } = session[kSocket];
  let host = servername;
  if (host === null || host === false) host = remoteFamily === 'IPv6' ? `[${remoteAddress}]` : remoteAddress;
  const port = remotePort != null ? `:${remotePort}` : '';
  state.originSet = new Set([originOf(`https://${host}${port}`)]);
  return state.originSet;
}

module.exports = { originOf, originsOf };
