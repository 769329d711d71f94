// rondo-test: option=--no-warnings
// An import that hooks never answer leaves a top-level await unsettled.
import { register } from 'node:module';

process.on('exit', (code) => console.log('exit', code));
register(`data:text/javascript,${encodeURIComponent(`
  export async function load(url, context, next) {
    return url === 'x:never' ? new Promise(() => {}) : next(url);
  }
  export async function resolve(specifier, context, next) {
    return specifier === 'x:never' ? { shortCircuit: true, url: specifier } : next(specifier);
  }`)}`);
console.log('before');
await import('x:never');
console.log('never');
