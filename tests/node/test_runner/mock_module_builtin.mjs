// rondo-test: option=--no-warnings option=--test-reporter=dot option=--experimental-test-module-mocks
// mock.module() of a builtin, by both of its names, several times.
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
for (const specifier of ['readline', 'node:readline', 'node:readline', 'readline']) {
  test(specifier, async (t) => {
    for (const cache of [false, true]) {
      const mock = t.mock.module(specifier, { cache, exports: { fn: () => 42 } });
      console.log((await import(specifier)).fn(), require(specifier).fn(), (await import('node:readline')).fn(), require('readline').fn());
      mock.restore();
      console.log(typeof (await import(specifier)).cursorTo, typeof require(specifier).cursorTo);
    }
  });
}
process.on('exit', (code) => console.log(code));
