'use strict';
// RegExp.$1 and the like describe the last match, which should not be one of ours when a program begins.

const { uncurry } = require('internal/util/safe');

const nothing = /^/;
const constructor = RegExp;
const [textOf, matchOf, leftOf, rightOf] = ['$_', '$&', '$`', "$'"].map((name) =>
  uncurry(Object.getOwnPropertyDescriptor(constructor, name).get));

// A match of an empty text leaves nothing to forget.
function isForgotten() {
  return textOf(constructor) === '' && matchOf(constructor) === '' && leftOf(constructor) === '' &&
    rightOf(constructor) === '';
}

module.exports = function forgetMatches() {
  // Matching compiles the expression first, once in each process.
  if (!isForgotten()) nothing.exec('');
};
