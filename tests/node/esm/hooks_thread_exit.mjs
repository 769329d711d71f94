// rondo-test: option=--no-warnings
// process.exit() in a hook ends the program.
import { register } from 'node:module';

process.on('exit', (code) => console.log('exit', code));
register(`data:text/javascript,${encodeURIComponent(`
  export async function resolve(specifier, context, next) {
    if (specifier === 'x:exit') process.exit(42);
    return next(specifier);
  }`)}`);
await import('x:exit');
console.log('never');
