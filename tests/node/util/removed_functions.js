'use strict';
const util = require('util');
console.log(Object.keys(util).filter((name) => /^is|^log$/.test(name)), util.markPromiseAsHandled(Promise.reject(1)));
try {
  util.markPromiseAsHandled({});
} catch (error) {
  console.log(error.code, error.message);
}
