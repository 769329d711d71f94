'use strict';
// Tags of tests, and filters by them: words of which upper and lower case are the same.

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { emitExperimentalWarning } = require('internal/util');
const { validateArray, validateString } = require('internal/validators');

const noTags = Object.freeze([]);

function toTag(value, name) {
  validateString(value, name);
  if (value.length === 0) throw new ERR_INVALID_ARG_VALUE(name, value, 'must not be empty');
  return value.toLowerCase();
}

function toTags(values, name) {
  validateArray(values, name);
  if (values.length === 0) return noTags;
  emitExperimentalWarning('Test tags');
  return [...new Set(values.map((value, i) => toTag(value, `${name}[${i}]`)))];
}

module.exports = { noTags, toTag, toTags };
