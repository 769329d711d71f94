'use strict';
// The ports, under the name that Node's own files know.

module.exports = require('internal/messaging/message_channel');
