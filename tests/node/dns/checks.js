'use strict';
// What is refused, and with which errors.
const dns = require('dns');

function attempt(name, call) {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const nothing = () => {};
for (const hostname of ['', null, undefined, false, 0]) attempt('lookup', () => dns.lookup(hostname, nothing));
attempt('lookup 5', () => dns.lookup(5, nothing));
attempt('name', () => dns.resolve4(5, nothing));
attempt('callback', () => dns.resolveMx('a'));
attempt('type', () => dns.resolve('a', 5, nothing));
attempt('unknown type', () => dns.resolve('a', 'XYZ', nothing));
attempt('reverse', () => dns.reverse('bogus', nothing));
attempt('promise name', () => dns.promises.resolve4(5));
attempt('promise type', () => dns.promises.resolve('a', 'XYZ'));
dns.promises.reverse('bogus').catch(({ code, syscall, hostname }) => console.log(code, syscall, hostname));
dns.promises.lookup('').catch(({ code, message }) => console.log(code, message));

const resolver = new dns.Resolver();
for (const servers of [
  5, [5], ['x'], ['127.0.0.1:99999'], ['[::1'], ['127.0.0.1:0'], [''], ['127.0.0.1', '127.0.0.1:5353', '::1', '[::1]:5353', '[::1]'], [],
]) {
  attempt('setServers', () => {
    resolver.setServers(servers);
    return resolver.getServers();
  });
}
for (const options of [{ timeout: -2 }, { timeout: 'a' }, { timeout: 1.5 }, { tries: 0 }, { maxTimeout: -1 }, { timeout: 0, tries: 1 }]) {
  attempt('options', () => new dns.Resolver(options) instanceof dns.Resolver);
}
for (const addresses of [[], ['x'], ['127.0.0.1', 1], ['127.0.0.1', '127.0.0.1'], ['::1', '::1'], ['127.0.0.1', '::1'], ['::1']]) {
  attempt('setLocalAddress', () => resolver.setLocalAddress(...addresses));
}
dns.setServers(['127.0.0.1:5353']);
console.log(dns.getServers(), dns.promises.getServers());
console.log(dns.resolve4.name, dns.promises.resolveMx.name, dns.Resolver.name, dns.promises.Resolver.name);
