'use strict';

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
  get URLPattern() { return require('internal/url/pattern').URLPattern; },
  domainToASCII,
  domainToUnicode,
  pathToFileURL,
  fileURLToPath,
  fileURLToPathBuffer,
  urlToHttpOptions,
};
