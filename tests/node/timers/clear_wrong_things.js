for (const value of [undefined, null, 0, -1, 'abc', {}, [], NaN, Symbol('x'), () => {}, true]) {
  clearTimeout(value);
  clearInterval(value);
}
for (const value of [undefined, null, 0, {}, []]) clearImmediate(value);
console.log('nothing thrown');
