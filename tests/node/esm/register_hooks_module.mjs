// rondo-test: option=--no-warnings
// module.register(): asynchronous hooks for what is imported afterwards.
import { register } from 'node:module';
try {
  register('./fixtures/no_such_hooks.mjs', import.meta.url);
} catch (error) {
  console.log(error.code);
}
register('./fixtures/registered_hooks.mjs', import.meta.url, { data: { answer: 42 } });
const { default: answer } = await import('virtual:answer');
console.log(answer);
console.log((await import('./fixtures/replaced.mjs')).default);
try {
  await import('virtual:incomplete');
} catch (error) {
  console.log(error.code);
}
