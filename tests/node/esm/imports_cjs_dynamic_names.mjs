// Names that the lexer cannot see are on the default export only.
import * as ns from './fixtures/cjs_dynamic.cjs';
console.log(Object.keys(ns), Object.keys(ns.default));
