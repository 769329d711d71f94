// Server addresses, and what is not one.
const dns = require('node:dns');
const resolver = new dns.Resolver();
for (const list of [['127.0.0.1'], ['127.0.0.1:5353', '[::1]:53', '::2'], ['10.0.0.1:53'], []]) {
  resolver.setServers(list);
  console.log(resolver.getServers());
}
for (const list of [['name'], ['1.2.3.4:x'], [5], 'text', null, ['[::1]:99999']]) {
  try {
    resolver.setServers(list);
    console.log(resolver.getServers());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
for (const options of [{ timeout: -2 }, { tries: 0 }, { timeout: 'x' }, { tries: 'x' }]) {
  try {
    new dns.Resolver(options);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(dns.getDefaultResultOrder());
dns.setDefaultResultOrder('ipv4first');
console.log(dns.getDefaultResultOrder(), dns.promises.getDefaultResultOrder());
