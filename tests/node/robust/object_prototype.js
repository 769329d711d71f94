Object.prototype.inherited = function () {};
Object.prototype.value2 = 'everywhere';
require('./fixtures/use_everything.js')();
