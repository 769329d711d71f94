import * as ns from './fixtures/ambiguous.mjs';
console.log(Object.keys(ns));
