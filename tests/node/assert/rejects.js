const assert = require('assert');
const show = async (f) => { try { await f(); console.log('passed'); } catch (e) { console.log(e.name, e.code, e.message); } };
(async () => {
  await show(() => assert.rejects(Promise.reject(new Error('x')), /x/));
  await show(() => assert.rejects(async () => { throw new TypeError('y'); }, TypeError));
  await show(() => assert.rejects(Promise.resolve(1)));
  await show(() => assert.rejects(() => 1));
  await show(() => assert.doesNotReject(Promise.reject(new Error('z'))));
  await show(() => assert.doesNotReject(async () => 1));
})();
