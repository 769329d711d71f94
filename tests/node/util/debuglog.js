// rondo-test: env=NODE_DEBUG=foo,bar*
const { debuglog } = require('util');
const { write } = process.stderr;
process.stderr.write = (text) => write.call(process.stderr, String(text).replace(process.pid, 'PID'));
debuglog('foo')('shown %d', 1);
debuglog('other')('hidden');
const bar = debuglog('barbaz');
bar('shown by pattern');
console.log(debuglog('foo').enabled, debuglog('other').enabled);
