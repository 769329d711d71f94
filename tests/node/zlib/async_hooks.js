'use strict';
const { createHook, executionAsyncId, AsyncLocalStorage } = require('node:async_hooks');
const zlib = require('node:zlib');
const storage = new AsyncLocalStorage();
const types = new Map();
const log = [];
createHook({
  init(id, type) { if (type === 'ZLIB') { types.set(id, 'made'); log.push('init'); } },
  before(id) { if (types.has(id)) log.push('before'); },
  after(id) { if (types.has(id)) log.push('after'); },
}).enable();
storage.run('store', () => {
  zlib.gzip('hello', (error, out) => {
    log.push(`callback ${out.length} ${storage.getStore()} ${types.has(executionAsyncId())}`);
    zlib.gunzipSync(out);
    setImmediate(() => console.log(log.join('\n')));
  });
});
