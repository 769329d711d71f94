import { createRequire } from 'module';
const require = createRequire(import.meta.url);
globalThis.runs = 0;
const a = await import('./fixtures/counts_runs.cjs');
const b = require('./fixtures/counts_runs.cjs');
console.log(globalThis.runs, a.default === b);
