exports.a = 1;
exports = { b: 2 };
console.log(module.exports, exports);
