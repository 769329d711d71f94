// rondo-test: option=--experimental-import-text option=--no-warnings
// A data: URL holds bytes, which may be no UTF-8.
for (const url of ['data:text/plain,%66%6f%80%6f', 'data:text/plain,h%C3%A9%20x%zz', 'data:text/plain;base64,aGk%3D']) {
  console.log((await import(url, { with: { type: 'text' } })).default);
}
console.log((await import('data:text/javascript,export default "%E2%82%AC"')).default);
