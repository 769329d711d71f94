Object.prototype.inherited = function () {};
process.nextTick(() => { throw Object.assign(new Error('reported'), { code: 'ERR_OF_MINE' }); });
