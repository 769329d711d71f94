// -0 is as good as 0.
const dns = require('node:dns');
const { Resolver } = dns;

dns.lookup('127.0.0.1', -0, (error, address, family) => {
  console.log(error, address, family);
  dns.lookup('127.0.0.1', { family: -0, hints: -0 }, console.log);
});
for (const options of [{ timeout: -0 }, { maxTimeout: -0 }]) {
  try {
    console.log(new Resolver(options) instanceof Resolver);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
try {
  dns.lookup('127.0.0.1', NaN, console.log);
} catch (error) {
  console.log(error.code, error.message);
}
