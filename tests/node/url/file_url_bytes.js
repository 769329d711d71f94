// fileURLToPathBuffer(), errors of fileURLToPath() that carry the URL, and URLSearchParams of null.
const url = require('url');
const attempt = (call) => {
  try {
    console.log(call());
  } catch (error) {
    console.log(error.name, error.code, error.message, error.input instanceof URL && error.input.href);
  }
};
attempt(() => url.fileURLToPathBuffer('file:///tmp/%82%A0/a%20b'));
attempt(() => url.fileURLToPathBuffer(new URL('file:///a/b')).toString());
attempt(() => url.fileURLToPathBuffer('file:///C:/a%20b', { windows: true }).toString());
attempt(() => url.fileURLToPathBuffer('file:///a%2Fb'));
attempt(() => url.fileURLToPathBuffer('http:///a'));
attempt(() => url.fileURLToPathBuffer('file://host/a'));
attempt(() => url.fileURLToPathBuffer(1));
attempt(() => url.fileURLToPath('file:///a%2Fb'));
attempt(() => url.fileURLToPath('file:///a%5Cb', { windows: true }));
attempt(() => url.fileURLToPath('file:///a', { windows: true }));
attempt(() => String(new URLSearchParams(null)));
attempt(() => String(new URLSearchParams(undefined)));
const fs = require('fs');
attempt(() => fs.Dir.prototype.path);
attempt(() => fs.WriteStream.prototype.autoClose);
attempt(() => fs.ReadStream.prototype.autoClose);
// eslint-disable-next-line no-proto
const options = { __proto__: null };
options['__proto__'] = { type: 'string', default: 'x' };
attempt(() => require('util').parseArgs({ args: [], options }));
for (const path of ['C:/%FF/a', 'c:', 'C:/a%2Fb%5Cc', '%43:/x', '1:/x', 'CC:/x', '', 'a%FFb', 'C:/%4']) {
  attempt(() => url.fileURLToPathBuffer(`file:///${path}`, { windows: true }).toString('latin1'));
}
attempt(() => url.fileURLToPathBuffer('file://xn--mnchen-3ya.de/a%2fb', { windows: true }).toString());
