import { a } from './fixtures/cycle_a.mjs';
console.log('main', a());
