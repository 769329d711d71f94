'use strict';
// Addons that real Node loads and we do not: they use V8 with Node's own functions, or libuv's loop. An error says so.
// And one for a version of Node-API to come, with which real Node dies.

const assert = require('node:assert');
const { join } = require('node:path');

assert.throws(() => require(join(process.argv[2], 'loading_future.node')),
              { message: /loading_future\.node requires Node-API version 11, .*only supports version 10 add-ons\.$/ });

for (const [name, message] of Object.entries({
  node: /loading_node\.node: undefined symbol: node_module_register \(.*Node-API/,
  v8: /loading_v8\.node: .*node_register_module_v147.*Node-API/,
  loop: /loading_loop\.node: undefined symbol: uv_queue_work \(.*Node-API/,
})) {
  for (let i = 0; i < 2; i++) {
    assert.throws(() => require(join(process.argv[2], `loading_${name}.node`)), { code: 'ERR_DLOPEN_FAILED', message });
  }
}
