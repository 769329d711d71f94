'use strict';
// The class Date with another idea of what time it is.

const { codes: { ERR_INVALID_STATE } } = require('internal/errors');

const dateToString = Date.prototype.toString;

function makeMockDate(RealDate, now) {
  if (RealDate.isMock) throw new ERR_INVALID_STATE('Date is already being mocked!');

  function MockDate(...args) {
    if (!new.target) return Reflect.apply(dateToString, new RealDate(now()), []);
    return args.length === 0 ? new RealDate(now()) : new RealDate(...args);
  }

  const { prototype, ...statics } = Object.getOwnPropertyDescriptors(RealDate);
  Object.defineProperties(MockDate, statics);
  MockDate.prototype = prototype.value;
  MockDate.now = function now_() { return now(); };
  Object.defineProperty(MockDate.now, 'name', { __proto__: null, value: 'now', configurable: true });
  MockDate.toString = function toString() { return Function.prototype.toString.call(RealDate); };
  Object.defineProperty(MockDate, 'isMock', { __proto__: null, value: true, enumerable: true });
  return MockDate;
}

module.exports = { makeMockDate };
