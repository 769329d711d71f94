// rondo-test: option=--import option=./fixtures/preload.mjs
console.log('main', globalThis.preloaded);
