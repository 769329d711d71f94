import value, { later } from './fixtures/awaited_values.mjs';
console.log(value, later);
