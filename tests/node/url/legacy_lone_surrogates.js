// rondo-test: option=--no-warnings
// Lone surrogates in `auth`: what follows one counts as its second half.
const url = require('url');
const attempt = (call) => {
  try {
    console.log(escape(call()));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};
for (const auth of ['\ud800', 'a\udc00b', 'u:\ud83d', '\ud83d\ude00:', '\ud800:p']) {
  attempt(() => url.format({ protocol: 'http', host: 'h', auth }));
}
attempt(() => url.parse('http://\ud800:p@host/').auth);
attempt(() => url.parse('http://\ud800:p@host/').href);
attempt(() => url.resolve('http://a/', 'http://b\ud800@b/'));
