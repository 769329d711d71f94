// Hooks see what import and require() look for, the last one registered first.
import { createRequire, registerHooks } from 'node:module';

const require = createRequire(import.meta.url);
const name = (url) => url.slice(url.lastIndexOf('/') + 1);

const virtual = registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier.startsWith('virtual:')) return { url: specifier, format: 'module', shortCircuit: true };
    return nextResolve(specifier, context);
  },
  load(url, context, nextLoad) {
    if (url === 'virtual:one') return { format: 'module', source: 'export default 1;', shortCircuit: true };
    return nextLoad(url, context);
  },
});
console.log((await import('virtual:one')).default);

const watching = registerHooks({
  resolve(specifier, context, nextResolve) {
    const result = nextResolve(specifier, context);
    console.log('resolve', specifier, name(context.parentURL), context.conditions.includes('import'),
      name(result.url), result.format);
    return result;
  },
  load(url, context, nextLoad) {
    const result = nextLoad(url, context);
    console.log('load', name(url), context.format, result.format, typeof result.source);
    return result;
  },
});
console.log((await import('./fixtures/adds.ts')).add([3, 4]));
console.log(require('./fixtures/typed.cts'));
console.log(typeof require('node:path').join);
console.log(name(import.meta.resolve('./fixtures/enum.ts')));
watching.deregister();

using changed = registerHooks({
  load(url, context, nextLoad) {
    const result = nextLoad(url, context);
    if (url.endsWith('data.json')) result.source = '{"changed":true}';
    return result;
  },
});
console.log((await import('./fixtures/data.json', { with: { type: 'json' } })).default);

const wrong = registerHooks({ resolve: () => ({ url: 'virtual:one' }) });
await import('anything').catch(({ code, message }) => console.log(code, message));
wrong.deregister();
virtual.deregister();
await import('virtual:two').catch(({ code }) => console.log(code));
try {
  registerHooks({ load: 1 });
} catch ({ code, message }) {
  console.log(code, message);
}
