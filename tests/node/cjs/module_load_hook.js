const Module = require('module');
const load = Module._load;
Module._load = function(request, parent, isMain) {
  console.log('load', request, isMain);
  return load.call(this, request, parent, isMain);
};
require('./fixtures/counter.js');
require('os');
