const u = new URL('https://user:pa%20ss@Example.ORG:8080/p/a/../t/h?query=string&b=1#hash');
for (const k of ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']) console.log(k, u[k]);
console.log(u, String(u), JSON.stringify({ u }));
