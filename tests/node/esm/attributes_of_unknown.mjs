// rondo-test: option=--experimental-import-text option=--no-warnings
// Attributes are looked at before what there is to load.
for (const [url, attributes] of [
  ['data:text/css,', { type: 'css' }],
  ['data:text/css,', { unknown: 'x' }],
  ['data:text/css,', {}],
  ['data:text/plain,hello', {}],
  ['data:text/plain,hello', { type: 'text' }],
  ['data:application/json,1', { type: 'text' }],
  ['data:application/json,1', { type: 'json' }],
  ['data:application/json,1', {}],
  ['data:text/javascript,', { type: 'json' }],
  ['node:fs', { type: 'json' }],
]) {
  try {
    console.log(url, typeof (await import(url, { with: attributes })).default);
  } catch (error) {
    console.log(url, attributes, error.code, error.message);
  }
}
