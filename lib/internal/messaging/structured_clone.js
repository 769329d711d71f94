'use strict';
// The global structuredClone is a function of the binding: what it does, V8's serializer does. It
// asks the module of the ports for the rest.

require('internal/messaging/message_channel');

const { structuredClone } = binding('messaging');
Object.defineProperty(structuredClone, 'length', { __proto__: null, value: 2 });

module.exports = { structuredClone };
