'use strict';
// EventEmitter and EventTarget: listeners that add and remove listeners, throw and emit while events are emitted; what is called, in which order, and
// what the emitter says of itself.

const EventEmitter = require('node:events');
const { Random } = require('./random.js');

const kNames = ['a', 'b', 'error', 'newListener', 'removeListener', Symbol('s'), EventEmitter.errorMonitor, '__proto__', 'constructor'];

function describe(value) {
  if (typeof value === 'function') return value.name || 'anonymous';
  if (value instanceof Error) return `${value.name} ${value.code} ${value.message.split('\n')[0]}`;
  if (typeof value === 'symbol') return String(value);
  return typeof value === 'object' && value !== null ? value.constructor?.name ?? 'object' : String(value);
}

function attempt(run) {
  try {
    return run();
  } catch (error) {
    return describe(error);
  }
}

class Emitters {
  #random;
  #depth = 0;
  #count = 0;
  #known = [];

  constructor(random) {
    this.#random = random;
    this.emitter = new EventEmitter(random.chance(20) ? { captureRejections: true } : undefined);
    this.target = new EventTarget();
    if (random.chance(20)) this.emitter.setMaxListeners(random.below(4));
  }

  // A function that says that it was called, and does something else then.
  #listener() {
    const random = this.#random;
    if (this.#known.length > 0 && random.chance(35)) return random.pick(this.#known);
    const name = `f${this.#count++}`;
    const what = random.below(8);
    const self = this;
    const made = { [name](...args) {
      console.log('  '.repeat(self.#depth), name, this === self.emitter ? 'emitter' : describe(this), args.map(describe).join());
      if (self.#depth > 2) return undefined;
      self.#depth++;
      try {
        if (what === 0) self.act();
        if (what === 1) return self.actOnTarget();
      } finally {
        self.#depth--;
      }
      if (what === 2) throw new Error(`thrown by ${name}`);
      return undefined;
    } }[name];
    this.#known.push(made);
    return made;
  }

  act() {
    const { emitter } = this;
    const random = this.#random;
    const name = random.pick(random.chance(60) ? ['a', 'b'] : kNames);
    switch (random.below(11)) {
      case 0: case 1: console.log('on', describe(name), attempt(() => describe(emitter.on(name, this.#listener())))); break;
      case 2: console.log('once', describe(name), attempt(() => describe(emitter.once(name, this.#listener())))); break;
      case 3: console.log('prepend', describe(name), attempt(() => describe(emitter[random.pick(['prependListener', 'prependOnceListener'])](name, this.#listener())))); break;
      case 4: console.log('off', describe(name), attempt(() => describe(emitter.off(name, this.#listener())))); break;
      case 5: if (random.chance(30)) console.log('removeAll', describe(name), attempt(() => describe(random.chance(50) ? emitter.removeAllListeners(name) : emitter.removeAllListeners()))); break;
      case 6: console.log('count', emitter.eventNames().map(describe).join(), emitter.listenerCount(name), emitter.listenerCount(name, this.#listener())); break;
      case 7: console.log('listeners', emitter.listeners(name).map(describe).join(), emitter.rawListeners(name).map((raw) => `${describe(raw)} ${describe(raw.listener)}`).join()); break;
      case 8: console.log('wrong', attempt(() => describe(emitter.on(name, random.pick([undefined, null, 5, {}, 'x']))))); break;
      default: console.log('emit', describe(name), attempt(() => emitter.emit(name, ...[1, new Error('given'), 'x'].slice(random.below(4)))));
    }
  }

  actOnTarget() {
    const { target } = this;
    const random = this.#random;
    const name = random.pick(['a', 'b']);
    const options = random.pick([undefined, true, { once: true }, { passive: true }, { capture: true, once: true }]);
    const listener = this.#listener();
    const callback = random.chance(20) ? { handleEvent: listener } : listener;
    switch (random.below(4)) {
      case 0: case 1: console.log('add', name, attempt(() => target.addEventListener(name, callback, options))); break;
      case 2: console.log('remove', name, attempt(() => target.removeEventListener(name, callback, options))); break;
      default: {
        const event = new Event(name, { cancelable: random.chance(50) });
        if (random.chance(20)) event.preventDefault();
        console.log('dispatch', name, attempt(() => target.dispatchEvent(event)), event.eventPhase, event.defaultPrevented,
          EventEmitter.getEventListeners(target, name).map(describe).join());
      }
    }
  }
}

process.removeAllListeners('warning');
process.on('uncaughtException', (error) => console.log('uncaught', describe(error)));
(async () => {
  const first = Number(process.argv[2]);
  const count = Number(process.argv[3]);
  for (let seed = first; seed < first + count; seed++) {
    console.log(`# seed ${seed}`);
    const random = new Random(seed);
    const emitters = new Emitters(random);
    for (let i = 0; i < 30; i++) random.chance(75) ? emitters.act() : emitters.actOnTarget();
    await new Promise(setImmediate);
  }
})();
