import './fixtures/prints_order.mjs';
console.log('main body');
process.nextTick(() => console.log('main tick'));
Promise.resolve().then(() => console.log('main microtask'));
