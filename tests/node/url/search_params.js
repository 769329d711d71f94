const p = new URLSearchParams('?a=1&b=2&a=3&c=%20+x&d');
console.log(p.get('a'), p.getAll('a'), p.has('b'), p.has('a', '3'), p.get('zz'), p.size, [...p.keys()]);
p.append('e', 'é&='); p.delete('b'); p.set('a', 'only'); p.sort();
console.log(String(p), p, [...p]);
console.log(String(new URLSearchParams({ x: 1, y: 'z' })), String(new URLSearchParams([['k', 'v'], ['k', 'w']])), String(new URLSearchParams(new Map([['m', 'n']]))));
p.forEach((v, k, all) => console.log(k, v, all === p));
const u = new URL('http://h/?x=1'); u.searchParams.append('y', ' '); console.log(u.href);
for (const f of [() => p.get(), () => new URLSearchParams([['a']]), () => URLSearchParams.prototype.get.call({}, 'a')]) {
  try {
    f();
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
