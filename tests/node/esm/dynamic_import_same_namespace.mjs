const [a, b] = await Promise.all([import('./fixtures/live.mjs'), import('./fixtures/../fixtures/live.mjs')]);
const c = await import('./fixtures/live.mjs?query');
const d = await import('./fixtures/live.mjs#hash');
console.log(a === b, a === c, a === d);
