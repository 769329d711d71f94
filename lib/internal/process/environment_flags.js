'use strict';
// process.allowedNodeEnvironmentFlags: the options that may stand in NODE_OPTIONS, as a Set that knows their other
// spellings and does not change.

class NodeEnvironmentFlagsSet extends Set {
  #flags;

  constructor(flags) {
    super();
    this.#flags = new Set(flags);
  }

  has(flag) {
    if (typeof flag !== 'string') return false;
    // --a_b=value is --a-b, and dashes at the beginning may be left out
    let name = flag.replaceAll('_', '-');
    if (this.#flags.has(name)) return true;
    if (/^--/.test(name)) name = name.replace(/=.*$/, '');
    if (/^-/.test(name)) return this.#flags.has(name);
    return this.#flags.has(`--${name}`) || this.#flags.has(`-${name}`);
  }

  // It is not for changing.
  add() { return this; }
  delete() { return false; }
  clear() {}

  forEach(callback, thisArg = undefined) {
    this.#flags.forEach((flag) => Reflect.apply(callback, thisArg, [flag, flag, this]));
  }

  get size() { return this.#flags.size; }
  entries() { return this.#flags.entries(); }
  values() { return this.#flags.values(); }
}

const { prototype } = NodeEnvironmentFlagsSet;
for (const key of ['keys', Symbol.iterator]) {
  Object.defineProperty(prototype, key,
    { __proto__: null, value: prototype.values, writable: true, enumerable: false, configurable: true });
}

Object.freeze(NodeEnvironmentFlagsSet);
Object.freeze(prototype);

function buildAllowedFlags() {
  return Object.freeze(new NodeEnvironmentFlagsSet(binding('process_methods').environmentOptions()));
}

module.exports = { buildAllowedFlags };
