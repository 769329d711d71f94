// rondo-test: option=--no-warnings
// What goes wrong on the thread of hooks is thrown where it was asked for.
import { register } from 'node:module';

function attempt(fn) {
  try {
    fn();
    console.log('fine');
  } catch (error) {
    console.log(typeof error, error?.name, error?.code, error?.message ?? error);
  }
}
const module = (text) => `data:text/javascript,${encodeURIComponent(text)}`;

attempt(() => register(module('export const a = ;')));
attempt(() => register('./nowhere.mjs'));
attempt(() => register(module('throw Object.assign(new RangeError("of hooks"), { code: "E_HOOKS" });')));
attempt(() => register(module('throw null;')));
attempt(() => register(module('throw "text";')));
attempt(() => register(module('throw Symbol("s");')));
attempt(() => register(module('export async function initialize() { await 1; throw new TypeError("late"); }')));
attempt(() => register(module('export function initialize() { return new Promise(() => {}); }')));
attempt(() => register(module(''), { data: () => {} }));
attempt(() => register());

register(module(`
  export async function resolve(specifier, context, next) {
    switch (specifier) {
      case 'x:number': return 5;
      case 'x:nothing': return {};
      case 'x:format': return { shortCircuit: true, url: 'x:format', format: 5 };
      case 'x:attributes': return { shortCircuit: true, url: 'x:a', importAttributes: 5 };
      case 'x:incomplete': return { url: 'x:incomplete' };
      case 'x:never': return new Promise(() => {});
      case 'x:throws': throw new URIError('no');
      case 'x:next': return next(5);
    }
    return next(specifier, context);
  }
  export async function load(url, context, next) {
    switch (url) {
      case 'x:a': return { shortCircuit: true, format: 'module', source: null };
      case 'x:b': return { shortCircuit: true, source: '' };
      case 'x:c': return { shortCircuit: true, format: 'unknown', source: '' };
      case 'x:d': return { shortCircuit: true, format: 'module', source: 5 };
      case 'x:e': return { shortCircuit: true, format: 'module', source: 'export default 1', responseURL: 'x' };
      case 'x:f': return next('no url');
      case 'x:g': return { shortCircuit: true, format: 'module', source: 'export default )' };
      case 'x:h': return { shortCircuit: true, format: 'json', source: '{ bad' };
      case 'x:i': return { shortCircuit: true, format: 'module', source: new TextEncoder().encode('export default "bytes"') };
      case 'x:j': return { shortCircuit: true, format: 'module', source: new TextEncoder().encode('export default "memory"').buffer };
      case 'x:k': return { shortCircuit: true, format: 'wasm', source: 'text' };
      case 'x:l': return { shortCircuit: true, format: 'commonjs', source: 'exports.a = __filename' };
    }
    return next(url, context);
  }`));
for (const name of ['number', 'nothing', 'format', 'incomplete', 'throws', 'next']) {
  try {
    await import(`x:${name}`);
    console.log('fine');
  } catch (error) {
    console.log(name, error.name, error.code);
  }
}
for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'i', 'j', 'k', 'l']) {
  try {
    console.log({ ...await import(`x:${name}`) });
  } catch (error) {
    console.log(name, error.name, error.code);
  }
}
try {
  await import('x:h', { with: { type: 'json' } });
} catch (error) {
  console.log(error.name, error.message);
}
attempt(() => import.meta.resolve('x:never'));
attempt(() => import.meta.resolve('x:throws'));
