import def, * as ns from './fixtures/cjs_flag.cjs';
console.log(def, Object.keys(ns), ns.default === def, ns.__esModule);
