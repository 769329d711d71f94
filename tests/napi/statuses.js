'use strict';
// Each function of Node-API, with good and bad arguments: what it returns, and what it throws.

const addon = require(`${process.argv[2]}/statuses.node`);

function fails(what) {
  return () => { throw new Error(what); };
}

const thrower = { toString: fails('toString'), valueOf: fails('valueOf') };
const proxy = new Proxy({}, Object.fromEntries(Reflect.ownKeys(Reflect).filter((name) => typeof name === 'string')
  .map((name) => [name, fails(name)])));
for (const line of addon.run(thrower, proxy, fails('called'), Object.freeze({ kept: 1 }))) console.log(line);
