'use strict';
// undici, which makes fetch(), Request, Response, WebSocket and related classes: Node's own copy of it (docs/javascript.md).
// It is large: this file is required when it is first used.

const undici = require('internal/deps/undici/undici');

require('internal/messaging/message_event').adopt(undici.MessageEvent, undici.createFastMessageEvent);

module.exports = undici;
