// Siblings do not wait for each other's await; the importer waits for all.
import './fixtures/await_1.mjs';
import './fixtures/await_2.mjs';
console.log('main');
