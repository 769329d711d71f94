// rondo-test: option=--no-warnings
// Hooks of module.register() run on a thread of their own; who imports waits for them, also where no await is.
import { createRequire, register } from 'node:module';
import { isInternalThread, threadId } from 'node:worker_threads';

console.log(isInternalThread, threadId);
console.log(register('./fixtures/hooks/hooks.mjs', import.meta.url, { data: { a: [1, 2] } }));
console.log((await import('virtual:one')).default);
console.log(import.meta.resolve('virtual:two'));
console.log((await import('./fixtures/hooks/plain.cjs')).default);
console.log((await import('./fixtures/hooks/data.json', { with: { type: 'json' } })).default);
console.log((await import('node:os')).EOL.length);

console.log('a source of CommonJS from hooks: its require() asks them too');
console.log((await import('./fixtures/hooks/hooked.cjs')).default);

console.log('other CommonJS does not');
console.log(createRequire(import.meta.url)('./fixtures/hooks/plain.cjs'));
