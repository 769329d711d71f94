const base = new URL('.', import.meta.url).href;
for (const id of ['./fixtures/live.mjs', './not-there.mjs', 'fs', 'node:fs', 'esm-pkg', 'data:text/javascript,1', 'https://example.org/x.js']) {
  console.log(id, import.meta.resolve(id).replace(base, 'BASE/'));
}
try {
  import.meta.resolve('no-such-package');
} catch (e) {
  console.log(e.code);
}
