import './fixtures/waits.mjs';
console.log('never');
