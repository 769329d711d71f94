// rondo-test: option=--enable-source-maps
// A failed call is shown as the source has it.
const assert = require('assert');
const map = Buffer.from(JSON.stringify({
  version: 3, sources: ['call.ts'], names: [], mappings: 'AACA,OAAO', sourcesContent: ['// one\nassert.ok(value as boolean);\n'],
})).toString('base64');
const mapped = new (module.constructor)('/made/call.js');
globalThis.assert = assert;
for (const run of [
  () => mapped._compile(`assert.ok(0)\n//# sourceMappingURL=data:application/json;base64,${map}`, '/made/call.js'),
  () => assert.ok(0),
  () => eval('assert(false)'),
]) {
  try {
    run();
  } catch (error) {
    console.log(error.message);
  }
}
