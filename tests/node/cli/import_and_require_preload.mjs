// rondo-test: option=--import option=./fixtures/preload.mjs option=-r option=./fixtures/preload.js
console.log('main', globalThis.preloaded);
