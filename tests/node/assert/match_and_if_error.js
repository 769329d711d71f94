const assert = require('assert');
const show = (f) => { try { f(); console.log('passed'); } catch (e) { console.log(e.name, e.code, e.message); console.log('--'); } };
show(() => assert.match('abc', /b/));
show(() => assert.match('abc', /x/));
show(() => assert.match(123, /1/));
show(() => assert.doesNotMatch('abc', /b/));
show(() => assert.ifError(null));
show(() => assert.ifError(new Error('passed on')));
show(() => assert.ifError('text'));
