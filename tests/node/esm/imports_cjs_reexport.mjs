import * as ns from './fixtures/cjs_reexport.cjs';
console.log(Object.keys(ns), ns.named);
