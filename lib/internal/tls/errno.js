'use strict';
// Numbers of system errors by their names.

let numbers;

// Negative, or undefined: errnoOf('EPIPE') is -32.
function errnoOf(code) {
  if (numbers === undefined) {
    numbers = new Map();
    for (const [number, [name]] of require('util').getSystemErrorMap()) numbers.set(name, number);
  }
  return numbers.get(code);
}

module.exports = { errnoOf };
