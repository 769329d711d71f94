const u = new URL('http://a.example/x');
u.port = '99999'; u.port = '81'; u.hash = 'h h'; u.search = 'a=b c'; u.pathname = '/ü/%zz'; u.hostname = 'münchen.example'; u.protocol = 'https'; u.username = 'me@'; u.password = '';
console.log(u.href);
u.protocol = 'mailto'; u.port = ''; u.search = '';
console.log(u.href);
