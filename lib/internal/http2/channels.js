'use strict';
// The diagnostics channels of streams, by side.

const { channel } = require('diagnostics_channel');

function channelsOf(side) {
  const of = (event) => channel(`http2.${side}.stream.${event}`);
  return {
    created: of('created'), start: of('start'), error: of('error'), finish: of('finish'), close: of('close'),
  };
}

module.exports = {
  client: channelsOf('client'),
  server: channelsOf('server'),
  bodyChunkSent: channel('http2.client.stream.bodyChunkSent'),
  bodySent: channel('http2.client.stream.bodySent'),
};
