'use strict';
const log = [];
const object = { ref() { log.push(['ref', this === object]); }, unref() { log.push(['unref', this === object]); } };
const both = { ref() { log.push('never'); }, [Symbol.for('nodejs.ref')]() { log.push('symbol'); }, unref() { log.push('plain'); } };
for (const value of [object, both, {}, null, undefined, 5, { ref: 1, unref: 1 }]) console.log(process.ref(value), process.unref(value));
console.log(log);
process.unref(setInterval(() => {}, 1000));
const usage = process.threadCpuUsage();
console.log(Object.keys(usage), usage.user >= 0 && usage.system >= 0, Object.values(process.threadCpuUsage(usage)).every((value) => value >= 0));
for (const value of [1, {}, { user: -1, system: 0 }, { user: 1, system: 'x' }]) {
  try {
    process.threadCpuUsage(value);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(Object.keys(process.features), process.features.uv, process.features.ipv6, process.features.require_module, process.features.typescript, process.features.dtls, process.features.quic, process.features.openssl_is_boringssl);
console.log(Object.getOwnPropertyDescriptor(process, 'features').writable, process.assert, typeof process.constrainedMemory(), typeof process.availableMemory());
console.log(process.getBuiltinModule('fs') === require('fs'), process.getBuiltinModule('node:test') === require('node:test'), process.getBuiltinModule('test'), process.getBuiltinModule('./x'));
