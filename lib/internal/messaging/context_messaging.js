'use strict';
// What a context of node:vm has of messaging, from the moment a port is moved into it. This file runs in that context, so that
// what its programs see of it is theirs (src/runtime/messaging/context_messaging.h).

class MessageEvent {
  constructor(data, target, type, ports) {
    this.data = data;
    this.target = target;
    this.type = type;
    this.ports = ports ?? [];
  }
}

// A port that was moved is no EventTarget: it has the properties onmessage and onmessageerror.
exports.emitMessage = function emitMessage(port, data, ports, type) {
  const event = new MessageEvent(data, port, type, ports);
  const listener = type === 'message' ? port.onmessage : port.onmessageerror;
  if (typeof listener === 'function') Reflect.apply(listener, port, [event]);
};
