// Methods that a program breaks for others.
for (const name of ['push', 'shift', 'slice', 'map', 'filter', 'forEach', 'includes', 'indexOf', 'join']) {
  const own = Array.prototype[name];
  Array.prototype[name] = function (...args) { return Reflect.apply(own, this, args); };
}
for (const Class of [Map, Set, WeakMap]) {
  for (const name of ['get', 'set', 'has', 'add', 'delete']) {
    const own = Class.prototype[name];
    if (own) Class.prototype[name] = function (...args) { return Reflect.apply(own, this, args); };
  }
}
require('./fixtures/use_everything.js')();
