// rondo-test: option=-r option=./fixtures/preload.js option=--require option=./fixtures/preload2.js
console.log('main', globalThis.preloaded, require.main === module);
