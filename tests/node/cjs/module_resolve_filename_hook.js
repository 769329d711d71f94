const Module = require('module');
const resolve = Module._resolveFilename;
Module._resolveFilename = function(request, ...rest) {
  return resolve.call(this, request === 'virtual' ? './fixtures/data.json' : request, ...rest);
};
console.log(require('virtual').name);
