'use strict';
// Padding, states, wrong arguments, options of few ciphers, streams.
const { createCipheriv, createDecipheriv } = require('node:crypto');

const filled = (size) => Buffer.alloc(size, 7);
function attempt(label, run) {
  try {
    const result = run();
    console.log(label, Buffer.isBuffer(result) ? result.toString('hex') : typeof result === 'object' ? 'object' : result);
  } catch (error) {
    console.log(label, error.name, error.code, error.message, error.library, error.reason, error.opensslErrorStack);
  }
}
const cbc = () => createCipheriv('aes-128-cbc', filled(16), filled(16));
const back = () => createDecipheriv('aes-128-cbc', filled(16), filled(16));
attempt('unknown', () => createCipheriv('nope', filled(16), null));
attempt('legacy', () => createCipheriv('rc4', filled(16), null));
attempt('legacy', () => createCipheriv('bf-cbc', filled(16), filled(8)));
attempt('key', () => createCipheriv('aes-128-cbc', filled(15), filled(16)));
attempt('iv', () => createCipheriv('aes-128-cbc', filled(16), filled(15)));
attempt('iv', () => createCipheriv('aes-128-cbc', filled(16), null));
attempt('iv', () => createCipheriv('aes-128-ecb', filled(16), filled(1)));
attempt('iv', () => createCipheriv('aes-128-ecb', filled(16), ''));
for (const bad of [undefined, 1, {}]) {
  attempt('name', () => createCipheriv(bad, filled(16), filled(16)));
  attempt('key', () => createCipheriv('aes-128-cbc', bad, filled(16)));
  attempt('iv', () => createCipheriv('aes-128-cbc', filled(16), bad));
}
attempt('short', () => { const d = back(); d.update(filled(15)); d.final(); });
attempt('bad padding', () => { const d = back(); d.update(filled(32)); d.final(); });
attempt('nothing', () => back().final());
attempt('no padding', () => { const c = cbc(); c.setAutoPadding(false); c.update(filled(15)); c.final(); });
attempt('no padding', () => { const c = cbc().setAutoPadding(false); return Buffer.concat([c.update(filled(16)), c.final()]); });
attempt('final', () => { const c = cbc(); c.final(); c.final(); });
attempt('update', () => { const c = cbc(); c.final(); c.update('a'); });
attempt('padding', () => { const c = cbc(); c.final(); c.setAutoPadding(); });
attempt('tag', () => cbc().getAuthTag());
attempt('tag', () => back().setAuthTag(filled(16)));
attempt('aad', () => cbc().setAAD(filled(1)));
attempt('encodings', () => { const c = cbc(); return c.update('616263', 'hex', 'base64') + c.final('base64'); });
attempt('encodings', () => { const c = cbc(); c.update('a', 'utf8', 'hex'); return c.final('base64'); });
attempt('encodings', () => { const c = cbc(); c.update('a', 'utf8', 'nope'); });
attempt('odd', () => cbc().update('616', 'hex'));
attempt('cts', () => createCipheriv('aes-128-cbc-cts', filled(16), filled(16), { ctsMode: 'CS3' }).update(filled(20)));
attempt('cts', () => createCipheriv('aes-128-cbc-cts', filled(16), filled(16), { ctsMode: 'CS2' }).update(filled(32)));
attempt('cts', () => createCipheriv('aes-128-cbc-cts', filled(16), filled(16)).update(filled(2)));
attempt('cts', () => createCipheriv('aes-128-cbc-cts', filled(16), filled(16), { ctsMode: 'CS4' }));
attempt('cts', () => createCipheriv('aes-128-cbc', filled(16), filled(16), { ctsMode: 'CS1' }));
const keys = Buffer.from(Array.from({ length: 32 }, (_, i) => i));
attempt('xts', () => createCipheriv('sm4-xts', keys, filled(16), { xtsStandard: 'IEEE' }).update(filled(20)));
attempt('xts', () => createCipheriv('sm4-xts', keys, filled(16), { xtsStandard: 'GB' }).update(filled(20)));
attempt('xts', () => createCipheriv('aes-128-xts', keys, filled(16), { xtsStandard: 'IEEE' }));
attempt('xts', () => createCipheriv('aes-128-xts', filled(32), filled(16)).update(filled(20)));
attempt('wrap', () => createCipheriv('aes128-wrap', keys.subarray(0, 16), filled(8)).update(filled(15)));
attempt('unwrap', () => createDecipheriv('aes128-wrap', keys.subarray(0, 16), filled(8)).update(filled(24)));
// RFC 3394, 4.1
attempt('wrap', () => createCipheriv('aes128-wrap', keys.subarray(0, 16), Buffer.alloc(8, 0xa6))
  .update(Buffer.from('00112233445566778899aabbccddeeff', 'hex')));

const stream = createCipheriv('aes-256-ctr', keys, filled(16));
let out = '';
stream.on('data', (data) => { out += data.toString('hex'); });
stream.on('end', () => console.log('stream', out));
stream.write('abc');
stream.end('def');
const failing = back();
failing.on('error', (error) => console.log('stream', error.code));
failing.end('abc');
