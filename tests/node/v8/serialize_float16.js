'use strict';
// v8.serialize() of views of numbers with 16 bits, also at an offset.
const v8 = require('node:v8');

const numbers = new Float16Array([0.5, -2, 65504, NaN, 1e-7]);
const bytes = v8.serialize(numbers);
console.log(bytes.toString('hex'), v8.deserialize(bytes));
console.log(v8.deserialize(v8.serialize({ part: numbers.subarray(1, 3), list: [numbers, new Float32Array(2)] })));
console.log(v8.deserialize(v8.serialize(new Float16Array(0))));
class Heights extends Float16Array {}
console.log(v8.deserialize(v8.serialize(new Heights(2))));
