'use strict';
// --frozen-intrinsics: what JavaScript comes with, and all that can be reached from it, cannot be changed. An object
// that inherits from it can still have a property of its own by assignment: for that, the properties of prototypes
// become accessors first.

const kGlobals = `
  Object Function Boolean Symbol Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError
  Number BigInt Math Date String RegExp Array Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array
  Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array Map Set WeakMap WeakSet ArrayBuffer
  SharedArrayBuffer DataView Atomics JSON WeakRef FinalizationRegistry Iterator Promise Reflect Proxy
  isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval
  WebAssembly Intl Temporal console
  clearImmediate clearInterval clearTimeout setImmediate setInterval setTimeout
`.trim().split(/\s+/);

const prototypeOf = Object.getPrototypeOf;

// Those that no global leads to by its own properties.
function hiddenPrototypes() {
  const iterator = prototypeOf(prototypeOf([][Symbol.iterator]()));
  const generator = prototypeOf(function* () {});
  const asyncGenerator = prototypeOf(async function* () {});
  return [
    iterator,
    prototypeOf([][Symbol.iterator]()),
    prototypeOf(''[Symbol.iterator]()),
    prototypeOf(new Map()[Symbol.iterator]()),
    prototypeOf(new Set()[Symbol.iterator]()),
    prototypeOf(''.matchAll(/x/g)),
    prototypeOf([].values().map((value) => value)),
    prototypeOf(Iterator.from({ next() {} })),
    generator, generator.prototype,
    asyncGenerator, asyncGenerator.prototype, prototypeOf(asyncGenerator.prototype),
    prototypeOf(async function() {}),
    prototypeOf(Int8Array), prototypeOf(Int8Array).prototype,
  ];
}

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function allowOverride(object, key) {
  const { configurable, enumerable, value, ...rest } = Object.getOwnPropertyDescriptor(object, key);
  if (!configurable || !('writable' in rest)) return;

  function getter() {
    return value;
  }
  getter.value = value;

  function setter(newValue) {
    if (object === this) {
      throw new TypeError(`Cannot assign to read only property '${String(key)}' of object '${object}'`);
    }
    if (Object.hasOwn(this, key)) {
      this[key] = newValue;
      return;
    }
    Object.defineProperty(this, key, {
      __proto__: null, value: newValue, writable: true, enumerable: true, configurable: true,
    });
  }

  Object.defineProperty(object, key, { __proto__: null, get: getter, set: setter, enumerable, configurable });
}

// All that `roots` lead to, except `spared`.
function freezeAll(roots, spared) {
  const seen = new Set([...roots, ...spared]);
  const found = [...roots];
  const visit = (value) => {
    if (!isObject(value) || seen.has(value)) return;
    seen.add(value);
    found.push(value);
  };
  for (let i = 0; i < found.length; i++) {
    const object = found[i];
    try {
      Object.freeze(object);
    } catch {
      continue; // a view of memory has elements that stay
    }
    visit(prototypeOf(object));
    for (const key of Reflect.ownKeys(object)) {
      const descriptor = Object.getOwnPropertyDescriptor(object, key);
      visit(descriptor.value);
      visit(descriptor.get);
      visit(descriptor.set);
    }
  }
}

module.exports = function freezeIntrinsics() {
  require('internal/util').emitExperimentalWarning('Frozen intristics');
  const roots = kGlobals.map((name) => globalThis[name]).filter(isObject);
  const hidden = hiddenPrototypes();
  const classes = [
    ...roots,
    globalThis.console.Console,
    ...['WebAssembly', 'Intl', 'Temporal'].flatMap((name) => Object.values(Object.getOwnPropertyDescriptors(globalThis[name] ?? {}))
      .map(({ value }) => value)),
  ];
  const prototypes = classes.map((object) => (typeof object === 'function' ? object.prototype : undefined)).filter(isObject);
  for (const object of new Set([...prototypes, ...hidden])) {
    for (const key of Reflect.ownKeys(object)) allowOverride(object, key);
  }
  // What a console keeps under its symbols changes while it is used.
  const { console } = globalThis;
  freezeAll([...roots, ...hidden], Object.getOwnPropertySymbols(console).map((key) => console[key]).filter(isObject));
  Object.defineProperty(globalThis, 'globalThis', {
    __proto__: null, configurable: false, writable: false, value: globalThis,
  });
};
