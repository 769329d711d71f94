process.nextTick(() => console.log('tick'));
import('./fixtures/prints_order.mjs').then(() => console.log('import done'));
Promise.resolve().then(() => console.log('microtask'));
console.log('main');
