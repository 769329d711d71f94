'use strict';
// What URLPattern makes of the rest of a URL without a base, and of backslashes in paths.
for (const input of ['nonsense', '/foo', '//h/p?q#r', '?a', '#b', 'foo/../bar', 'a:b', '', '\\x', 'http:x', 'nons ense', '//[']) {
  const found = new URLPattern({}).exec(input);
  console.log(JSON.stringify(input), found && ['protocol', 'hostname', 'port', 'pathname', 'search', 'hash'].map((name) => `${name}=${found[name].input}`).join(' '), found?.inputs,
    new URLPattern({ pathname: '/:id' }).test(input), new URLPattern({ pathname: '/(.*)', protocol: 'http' }).test(input), new URLPattern('https://example.com/*').test(input));
}
for (const text of ['\\\\', 'a\\\\b', '[\\\\@x', 'x\\\\y', '\\a']) {
  console.log(text, new URLPattern(text, 'https://e.com/').pathname, new URLPattern({ pathname: `/${text}` }).pathname, new URLPattern({ pathname: `/${text}`, protocol: 'https' }).pathname,
    new URLPattern({ pathname: `/${text}`, protocol: 'data' }).pathname);
}
console.log(new URLPattern({}).exec('x', 'http://h/y').pathname.input, new URLPattern({}).exec('x', 'nope'), new URLPattern({}).exec({ pathname: 'a\\b' }).pathname.input,
  new URLPattern({}).exec({ protocol: 'http', pathname: 'a\\b' }).pathname.input);
