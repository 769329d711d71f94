// What a module shows of itself.
const shown = require('util').inspect({ ...module, paths: [], id: '', path: '', filename: '' }, { showHidden: false });
console.log(shown);
const required = require('./fixtures/simple.mjs');
const { [Object.getOwnPropertySymbols(require.cache[require.resolve('./fixtures/simple.mjs')]).find((key) => key.description === 'kRequiredModuleSymbol')]: wrap } =
  require.cache[require.resolve('./fixtures/simple.mjs')];
console.log(Object.keys(required), Object.keys(wrap).sort());
const race = Promise.allSettled([import('./fixtures/require_cycle/a.cjs'), import('./fixtures/require_cycle/b.mjs')]);
race.then((results) => console.log(results.map(({ reason }) => [reason?.code, reason?.message.split('\n').slice(1)])));
