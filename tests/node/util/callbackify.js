const { callbackify } = require('util');
const f = callbackify(async (x) => { if (!x) throw null; if (x === 1) throw new Error('one'); return x * 2; });
f(5, (e, v) => { console.log(e, v); f(1, (e2) => { console.log(e2.message); f(0, (e3) => console.log(e3.code, e3.message, e3.reason)); }); });
console.log('callbacks come later');
