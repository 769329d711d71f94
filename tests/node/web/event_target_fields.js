'use strict';
// What an event target has before its first listener, and after it.
const { inspect } = require('node:util');

const target = new EventTarget();
const show = () => Object.getOwnPropertySymbols(target).forEach((key) => console.log(String(key), inspect(target[key], { depth: 0 })));
show();
target.addEventListener('a', () => {});
show();
const { signal } = new AbortController();
console.log(signal.onabort);
signal.onabort = 5;
console.log(signal.onabort, inspect(Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'onabort')));
