import './fixtures/order_1.mjs';
import './fixtures/order_2.mjs';
import './fixtures/order_1.mjs';
console.log('main');
