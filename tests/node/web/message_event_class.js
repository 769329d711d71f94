'use strict';
// Events of ports are MessageEvents, whether the global class was loaded before them or not.
const { port1, port2 } = new MessageChannel();
let first = true;
port2.onmessage = (event) => {
  console.log(Object.prototype.toString.call(event), event.data, event.origin, event.lastEventId, event.source,
    event.ports, Object.isFrozen(event.ports), typeof event.initMessageEvent);
  console.log(event instanceof MessageEvent, event.constructor === MessageEvent, event instanceof Event);
  if (first) port1.postMessage('two');
  else port1.close();
  first = false;
};
port1.postMessage({ one: 1 });
for (const make of [() => new MessageEvent(), () => new MessageEvent('a', { ports: 1 }), () => new CloseEvent('x', { code: 5 }).code]) {
  try {
    console.log(make());
  } catch (error) {
    console.log(error.name, error.message);
  }
}
