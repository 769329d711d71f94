'use strict';
const util = require('util');

console.log(util._extend({ a: 1 }, { b: 2 }), util._extend({ a: 1 }, null));
console.log(util._extend({}, { c: 3 }), util.isArray([]), util.isArray({}));
console.log(util._extend.length, util._extend.name, util.isArray.length);

function old(a, b) { return [this?.x, a, b]; }
const wrapped = util.deprecate(old, 'old() is old', 'DEPX');
console.log(wrapped.length, wrapped.name, Object.getPrototypeOf(wrapped) === old, wrapped.prototype === old.prototype);
const bare = util.deprecate(old, 'bare', 'DEPY', { modifyPrototype: false });
console.log(bare.length, Object.getPrototypeOf(bare) === Function.prototype, bare.prototype === old.prototype);

// The switch counts when the function is called, not when it is wrapped.
process.noDeprecation = true;
console.log(wrapped.call({ x: 0 }, 1, 2));
const silent = util.deprecate(old, 'wrapped while silent', 'DEPZ');
console.log(silent === old);
process.noDeprecation = false;
console.log(wrapped.call({ x: 0 }, 1, 2), silent(1));
