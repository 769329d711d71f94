// rondo-test: option=--abort-on-uncaught-exception option=--no-warnings
// The errors by which a module is recognised are caught: they do not abort the process.
import { isMainThread } from 'node:worker_threads';

console.log(isMainThread);
