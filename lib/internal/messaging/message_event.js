'use strict';
// The events of MessagePort: a message, and that the channel is closed.
//
// The global class MessageEvent is undici's, which takes long to load. So a port makes events of a class of its own
// until a program asks for the global one. From then on they are also instances of that (adopt), and new ones are made by
// undici.

const { Event } = require('internal/event_target');
const { markAsUncloneable } = require('internal/messaging/transferable');

let createFast;

class PortMessageEvent extends Event {
  #data;
  #ports;

  constructor(type, { data = null, ports = [] }) {
    if (createFast !== undefined) return createFast(type, { data, ports });
    super(type);
    this.#data = data;
    this.#ports = ports;
    markAsUncloneable(this);
  }

  get data() {
    return this.#data;
  }

  get origin() {
    return '';
  }

  get lastEventId() {
    return '';
  }

  get source() {
    return null;
  }

  get ports() {
    return Object.freeze(this.#ports);
  }

  get initMessageEvent() {
    return require('internal/web/undici').MessageEvent.prototype.initMessageEvent;
  }

  get ['constructor']() {
    return require('internal/web/undici').MessageEvent;
  }
}

for (const name of ['data', 'origin', 'lastEventId', 'source', 'ports', 'initMessageEvent']) {
  Object.defineProperty(PortMessageEvent.prototype, name, { __proto__: null, enumerable: true });
}
Object.defineProperty(PortMessageEvent.prototype, Symbol.toStringTag, {
  __proto__: null, value: 'MessageEvent', configurable: true,
});

// Called when undici is loaded.
function adopt(MessageEvent, createFastMessageEvent) {
  Object.setPrototypeOf(PortMessageEvent.prototype, MessageEvent.prototype);
  createFast = createFastMessageEvent;
}

class MessagePortCloseEvent extends Event {
  constructor() {
    super('close');
  }
}

module.exports = { MessageEvent: PortMessageEvent, MessagePortCloseEvent, adopt };
