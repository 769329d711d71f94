'use strict';
const util = require('util');

console.log(util.diff('12345678', '!!345!!6'), util.diff('same', 'same'));
console.log(util.diff(['a', 'b', 'c'], ['a', 'c', 'd']), util.diff('', 'x'));
for (const args of [[1, 'x'], ['x', [1]], [null, 'x']]) {
  try {
    util.diff(...args);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
console.log(util.getSystemErrorMessage(-2), '|', util.getSystemErrorMessage(-123456));
for (const value of [0, 1, 'x']) {
  try {
    util.getSystemErrorMessage(value);
  } catch (error) {
    console.log(error.code, error.message);
  }
}

const show = (format, text) =>
  console.log(JSON.stringify(util.styleText(format, text, { validateStream: false })));
show('red', 'x');
show(['bold', 'red'], 'x');
show('red', `a${util.styleText('blue', 'b', { validateStream: false })}c`);
show('bold', `a${util.styleText('dim', 'b', { validateStream: false })}c`);
show('red', util.styleText('blue', 'b', { validateStream: false }));
show('none', 'x');
show(['none', 'red'], 'x');
show('#f0a', 'x');
show(['#00ff7f', 'underline'], 'x');
for (const format of ['#12', '#ggg', 'no such format', undefined]) {
  try {
    show(format, 'x');
  } catch (error) {
    console.log(error.code, error.message.slice(0, 60));
  }
}
