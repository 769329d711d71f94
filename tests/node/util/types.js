const { types } = require('util');
const values = { date: new Date(), regexp: /x/, map: new Map(), promise: Promise.resolve(), proxy: new Proxy({}, {}), typed: new Uint8Array(1), boxed: Object(1), args: (function() { return arguments; })(), async: async () => {}, gen: function*() {}, error: new Error(), ab: new ArrayBuffer(1), weak: new WeakMap(), sym: Object(Symbol()), iter: new Map().keys(), ns: null };
for (const [name, value] of Object.entries(values)) {
  console.log(name, Object.keys(types).filter((t) => { try { return types[t](value); } catch { return false; } }).join(' '));
}
