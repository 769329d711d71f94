const url = require('url');
console.log(url.parse('http://user:pass@host.com:8080/p/a/t/h?query=string#hash'));
console.log(url.parse('/one?a=b&c=d', true).query, url.parse('//h/p', false, true).host, url.parse('mailto:x@y.z').href, url.parse('x:y').pathname);
