for (const id of ['./not-there.mjs', 'no-such-package', 'node:nothing', './fixtures', './fixtures/live', 'http://example.org/x.js', 'esm-pkg/hidden', '#hash', './fixtures/unknown.ext', 'file:///a%2Fb.js']) {
  try {
    await import(id);
    console.log(id, 'loaded');
  } catch (e) {
    console.log(id, e.name, e.code, '|', e.message.split('\n')[0]);
  }
}
