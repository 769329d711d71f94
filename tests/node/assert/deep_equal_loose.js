const assert = require('assert');
const show = (f) => { try { f(); console.log('passed'); } catch (e) { console.log(e.message); console.log('--'); } };
show(() => assert.deepEqual({ a: 1 }, { a: '1' }));
show(() => assert.deepEqual([1, 2, [3]], [1, 2, ['3']]));
show(() => assert.deepEqual({ a: 1 }, { a: 2 }));
show(() => assert.notDeepEqual({ a: 1 }, { a: 1 }));
show(() => assert.notDeepStrictEqual({ a: 1 }, { a: 1 }));
show(() => assert.deepEqual(new Set([1]), new Set(['1'])));
