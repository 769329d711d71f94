import './fixtures/throws.mjs';
console.log('never');
