'use strict';
// node:sea: assets of single-executable applications. Rondo makes none, so that every program gets what Node answers
// outside of one.

const { codes: { ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION } } = require('internal/errors');
const { validateString } = require('internal/validators');

function isSea() {
  return false;
}

function getRawAsset(key) {
  validateString(key, 'key');
  throw new ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION();
}

function getAsset(key, encoding) {
  if (encoding !== undefined) validateString(encoding, 'encoding');
  return getRawAsset(key);
}

function getAssetAsBlob(key, _options) {
  return getRawAsset(key);
}

function getAssetKeys() {
  throw new ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION();
}

module.exports = { isSea, getAsset, getRawAsset, getAssetAsBlob, getAssetKeys };
