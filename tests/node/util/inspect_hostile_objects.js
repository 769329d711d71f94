'use strict';
const { format, inspect } = require('util');
const show = (value, options) => console.log(inspect(value, options).replace(/\n +at .*/g, ''));

// Proxies around proxies.
show(new Proxy(new Proxy({ a: 1 }, {}), {}));
show(new Proxy(function f() {}, {}));
const { proxy, revoke } = Proxy.revocable({}, {});
const outer = new Proxy(proxy, {});
revoke();
show(proxy);
show(outer);
show(proxy, { showProxy: true });
console.log(format('%s %s', new Proxy({ toString: () => 'own' }, {}), outer));

// Constructors that are not what they were.
const array = [1];
array.constructor = 5;
show(array);
class Tagged { get [Symbol.toStringTag]() { return 'Tag'; } }
class TagHolder { get [Symbol.toStringTag]() { return 'Tag'; } }
class Tagger { get [Symbol.toStringTag]() { return 'Tag'; } }
class Name { get [Symbol.toStringTag]() { return 'Space.Name'; } }
class Throws { get [Symbol.toStringTag]() { throw new Error('no tag'); } }
show([new Tagged(), new TagHolder(), new Tagger(), new Name(), new Throws()]);

// Errors with odd properties.
const odd = (change) => {
  const error = new Error('message');
  error.stack = 'Error: message\n    at somewhere';
  change(error);
  return error;
};
show(odd((error) => { Object.defineProperty(error, 'stack', { get() { throw new Error('x'); } }); }));
show(odd((error) => { error.stack = { not: 'text' }; }));
show(odd((error) => { error.stack = undefined; }));
show(odd((error) => { error.name = 5; }));
show(odd((error) => { error.message = 5; }));
show(odd((error) => { Object.defineProperty(error, 'message', { enumerable: true, get() { throw new Error('x'); } }); }));
show(odd((error) => { Object.defineProperty(error, 'name', { enumerable: true, get() { throw new Error('x'); } }); }));
show(odd((error) => { error.cause = 'own'; }));
show(odd((error) => { Object.setPrototypeOf(error, Object.create(Error.prototype, { cause: { value: 1 } })); }));
show(odd((error) => { Object.defineProperty(error, 'errors', { value: [1] }); }));
show(odd((error) => { Object.defineProperty(error, 'errors', { get() { throw new Error('x'); } }); }));

// Functions with odd names.
const named = (name) => Object.defineProperty(() => {}, 'name', { value: name });
show([named({ a: 1 }), named(5), named(undefined), named(Symbol('s'))]);

show({ a: 'x'.repeat(100), b: [1, { c: 'y\nz' }] }, { breakLength: Infinity });
console.log(JSON.stringify(require('util').stripVTControlCharacters('a\u001b]8;;http://x\u0007b\u001b[38:5:1mc\u001b]0;d e\u001b\\f')));

// Keys.
show(Object.defineProperties({}, {
  'hidden': { value: 1 },
  'not an identifier': { value: 2 },
  [Symbol('s')]: { value: 3 },
  'it\'s': { value: 4, enumerable: true },
}), { showHidden: true });
show(JSON.parse('{"__proto__": 1}'));

// Getters.
function f() {}
show({ get f() { return f; }, get a() { throw new Error('inside'); }, get b() { throw 'text'; } }, { getters: true, compact: true });

// Views of buffers.
const detached = new ArrayBuffer(4);
structuredClone(detached, { transfer: [detached] });
show(detached);
show(new Uint8Array(2), { showHidden: true });
show(Object.assign(new Uint8Array(1), { own: 1 }), { showHidden: true, colors: true });
show(new URL('http://host/path'), { customInspect: false });
show([-0, 1e-7, 1234.5678, -1234567, 1e21, 0.1], { numericSeparator: true });

// Frames of a recursion.
Error.stackTraceLimit = 50;
const lines = (text) => text.split('\n').map((line) => line.replace(/\(.*\)/, ''));
const recursion = new Error('deep');
recursion.stack = `Error: deep\n${'    at a\n    at b\n'.repeat(6)}    at c\n${'    at d\n'.repeat(5)}    at e`;
console.log(lines(inspect(recursion)));
recursion.stack = `Error: deep\n    at a\n    at b\n    at c\n    at d\n    at a\n    at b\n    at c\n    at d\n    at e\n    at f\n    at g`;
console.log(lines(inspect(recursion)));
