'use strict';
// Arguments and properties of URLPattern.
const pattern = new URLPattern({ pathname: '/:a/*' });
console.log(pattern, pattern.exec('http://x/1/2'), pattern.exec({ search: 'q', pathname: '/1/2', extra: 1 }).inputs);
for (const make of [
  () => URLPattern(), () => new URLPattern(1), () => new URLPattern({}, 1), () => new URLPattern({}, '', 1),
  () => new URLPattern('http://a', {}, {}), () => new URLPattern('a', 'b', 'c'), () => new URLPattern(Symbol('s')),
  () => new URLPattern(null, null).pathname, () => new URLPattern('https://example.com', null, null),
  () => new URLPattern({ pathname: 5 }).pathname, () => new URLPattern(new URL('http://a/b')).pathname,
  () => new URLPattern({ get protocol() { throw new Error('boom'); } }),
  () => new URLPattern({}, { get ignoreCase() { throw new Error('boom'); } }),
  () => pattern.test(1), () => pattern.exec('', 1), () => pattern.test({}, 'http://a'), () => pattern.exec(null, null),
  () => pattern.exec('http://a', 'x'), () => pattern.test('https://x/1/2', null), () => pattern.exec({ baseURL: 'nope' }),
  () => pattern.exec(), () => pattern.test(undefined), () => URLPattern.prototype.test.call({}),
  () => URLPattern.prototype.protocol, () => URLPattern.length, () => String(pattern), () => Object.keys(pattern),
  () => require('url').URLPattern === URLPattern,
]) {
  try {
    console.log(make());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
for (const [name, { get, value, enumerable, configurable }] of
  Object.entries(Object.getOwnPropertyDescriptors(URLPattern.prototype))) {
  console.log(name, get?.name, value?.name, value?.length, enumerable, configurable);
}
