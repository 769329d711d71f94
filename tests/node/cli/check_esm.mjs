// rondo-test: option=-c
import x from './does-not-matter.mjs';
export default await x;
