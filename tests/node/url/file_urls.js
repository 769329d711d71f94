const { fileURLToPath, pathToFileURL, urlToHttpOptions, domainToASCII, domainToUnicode } = require('url');
console.log(fileURLToPath('file:///a%20b/%C3%BC.js'), pathToFileURL('/x y/#?%ü').href, pathToFileURL('/dir/').href);
for (const bad of ['http://x', 'file://host/x', 'file:///a%2fb', 1]) {
  try {
    fileURLToPath(bad);
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
console.log(urlToHttpOptions(new URL('https://a:b@測試.example:1/x?y#z')), domainToASCII('español.com'), domainToUnicode('xn--espaol-zwa.com'), JSON.stringify(domainToASCII('xn--iñvalid.com')));
