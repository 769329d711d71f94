'use strict';
// The events of MessagePort: a message, and that the channel is closed.

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS } } = require('internal/errors');
const { Event } = require('internal/event_target');
const { checkMessagePort } = binding('messaging');

// Fields that show when somebody asks for the symbols, as in Node.
const kData = Symbol('kData');
const kOrigin = Symbol('kOrigin');
const kLastEventId = Symbol('kLastEventId');
const kSource = Symbol('kSource');
const kPorts = Symbol('kPorts');

function checkPort(value, name) {
  if (!checkMessagePort(value)) throw new ERR_INVALID_ARG_TYPE(name, 'MessagePort', value);
}

class MessageEvent extends Event {
  constructor(type, {
    data = null, origin = '', lastEventId = '', source = null, ports = [],
  } = {}) {
    super(`${type}`);
    if (source !== null) checkPort(source, 'init.source');
    ports = [...ports];
    for (let i = 0; i < ports.length; i++) checkPort(ports[i], `init.ports[${i}]`);
    this[kData] = data;
    this[kOrigin] = `${origin}`;
    this[kLastEventId] = `${lastEventId}`;
    this[kSource] = source;
    this[kPorts] = ports;
  }
}

for (const [name, key] of Object.entries({
  data: kData, origin: kOrigin, lastEventId: kLastEventId, source: kSource, ports: kPorts,
})) {
  Object.defineProperty(MessageEvent.prototype, name, {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get: {
      get() {
        if (!(this instanceof MessageEvent)) throw new ERR_INVALID_THIS('MessageEvent');
        return this[key];
      },
    }.get,
  });
}

class MessagePortCloseEvent extends Event {
  constructor() {
    super('close');
  }
}

module.exports = { MessageEvent, MessagePortCloseEvent };
