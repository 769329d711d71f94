'use strict';

const { defineLazyProperties } = binding('util');
const {
  URL, URLSearchParams, domainToASCII, domainToUnicode, fileURLToPath, fileURLToPathBuffer, pathToFileURL,
  urlToHttpOptions,
} = require('internal/url');
const { Url, urlFormat, urlParse, urlResolve, urlResolveObject } = require('internal/url/legacy');

module.exports = {
  Url,
  parse: urlParse,
  resolve: urlResolve,
  resolveObject: urlResolveObject,
  format: urlFormat,
  URL,
  URLSearchParams,
  URLPattern: undefined,
  domainToASCII,
  domainToUnicode,
  pathToFileURL,
  fileURLToPath,
  fileURLToPathBuffer,
  urlToHttpOptions,
};

defineLazyProperties(module.exports, ['URLPattern'], 'internal/url/pattern', true);
