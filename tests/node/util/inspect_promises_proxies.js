const util = require('util');
console.log(Promise.resolve(1), Promise.reject(2).catch(() => {}), new Promise(() => {}), (async () => 'x')());
const p = new Proxy({ a: 1 }, { get() { return 'trap'; } });
console.log(p, util.inspect(p, { showProxy: true }), util.inspect(new Proxy(function f() {}, {}), { showProxy: 1 }));
