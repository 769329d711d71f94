import * as ns from './fixtures/cjs_object.cjs';
console.log(ns);
