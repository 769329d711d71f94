'use strict';
// util.diff

const { validateString, validateStringArray } = require('internal/validators');
const { myersDiff } = require('internal/assert/myers');

function validateInput(value, name) {
  if (Array.isArray(value)) validateStringArray(value, name);
  else validateString(value, name);
}

function diff(actual, expected) {
  if (actual === expected) return [];
  validateInput(actual, 'actual');
  validateInput(expected, 'expected');
  return myersDiff(actual, expected);
}

module.exports = { diff };
