'use strict';
// removeAllListeners() goes through the list itself, which listeners of 'removeListener' may change meanwhile.
const EventEmitter = require('node:events');

const named = (name) => ({ [name]() { console.log('called', name); } })[name];
for (const change of ['prepend', 'on', 'off', 'none']) {
  for (const emitting of [false, true]) {
    const emitter = new EventEmitter();
    const listeners = ['f0', 'f1', 'f2', 'f3'].map(named);
    emitter.once('a', listeners[0]).on('a', listeners[1]).once('a', listeners[2]).on('a', listeners[3]);
    let changed = 0;
    emitter.on('removeListener', (name, listener) => {
      console.log(change, name, listener.name, emitter.rawListeners('a').length);
      if (changed++ > 0) return;
      if (change === 'prepend') emitter.prependListener('a', named('new'));
      if (change === 'on') emitter.once('a', named('new'));
      if (change === 'off') emitter.off('a', listeners[1]);
    });
    try {
      if (emitting) {
        emitter.prependListener('a', () => emitter.removeAllListeners('a'));
        emitter.emit('a');
      } else {
        emitter.removeAllListeners('a');
      }
    } catch (error) {
      console.log(error.code, error.message);
    }
    console.log(emitter.listeners('a').map((listener) => listener.name), emitter.eventNames());
  }
}
