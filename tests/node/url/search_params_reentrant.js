// Arguments whose conversion changes the URL that the parameters belong to.
'use strict';
const url = new URL('http://n/?a=1');
const changing = (text, search) => ({ toString() { url.search = search; return text; } });
url.searchParams.append('b', changing('2', '?z=9'));
console.log(url.href);
url.searchParams.append(changing('c', '?y=8'), '3');
console.log(url.href);
