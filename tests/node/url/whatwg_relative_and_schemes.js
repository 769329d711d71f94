for (const [a, b] of [['../x', 'http://h/a/b/c'], ['//other/y', 'https://h'], ['?q', 'http://h/p?old#z'], ['#f', 'http://h/p?q'], ['', 'http://h/p'], ['data:text/plain,x'], ['FILE:///C:/x'], ['http://[::1]:3000/'], ['http://192.168.0.257.1/'.slice(0, 0) || 'http://0x7f.1/'], ['blob:http://h/id'], ['javascript:alert(1)'], ['http://h:80/'], ['non-special://h:1/p a']]) {
  const u = new URL(a, b);
  console.log(u.href, u.origin, u.host);
}
