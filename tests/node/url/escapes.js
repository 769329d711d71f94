'use strict';
// Escapes of paths, opaque paths and query strings.
for (const text of ['non-special:opaque  ?hi', 'non-special:opaque  #hi', 'non-special:opaque \t\t  \t#hi', 'foo://host/ !"$%&\'()*+,-./:;<=>@[\\]^_`{|}~',
  'wss://host/^', 'data:space   ', 'sc:space ?query', 'data:  ?#']) {
  const url = new URL(text);
  console.log(JSON.stringify(url.href));
  url.search = '';
  console.log(JSON.stringify(url.href));
  url.hash = '';
  console.log(JSON.stringify(url.href));
}
for (const text of ['a=%zz%20\u{1f600}', 'a=\u{1f600}%', '%e4=\u00e4+%20', '%C3%A4+=+', 'a=%f', '%00=\u4f60%ff']) {
  console.log([...new URLSearchParams(text)].map((pair) => JSON.stringify(pair)).join());
}
const { pathToFileURL } = require('node:url');
for (const path of ['//\u00e4!/x', '\\\\?\\', '//server', '//<!/x', '\\\\?\\UNC\\s\\p', '\\\\?\\C:\\a']) {
  try {
    console.log(path, pathToFileURL(path, { windows: true }).href);
  } catch (error) {
    console.log(path, error.code);
  }
}
