'use strict';
// QuotaExceededError, as in Web IDL. The module is the class itself.

const DOMException = require('internal/errors/dom_exception');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { kClone, kDeserialize } = require('internal/messaging/transferable');

// A member of the options as a number; null if it is not there.
function readLimit(options, name) {
  if (options === null || options === undefined || !(name in options)) return null;
  const value = +options[name];
  if (!Number.isFinite(value)) {
    throw new TypeError(`Cannot convert options.${name} to a double: the value is ` +
      (Number.isNaN(value) ? 'NaN' : 'Infinity'));
  }
  if (value < 0) throw new RangeError(`options.${name} must not be negative`);
  return value;
}

class QuotaExceededError extends DOMException {
  #quota;
  #requested;

  constructor(message = '', options = { __proto__: null }) {
    super(message, 'QuotaExceededError');
    const quota = readLimit(options, 'quota');
    const requested = readLimit(options, 'requested');
    if (quota !== null && requested !== null && requested < quota) {
      throw new RangeError('options.requested must not be less than options.quota');
    }
    this.#quota = quota;
    this.#requested = requested;
  }

  [kClone]() {
    const { data } = super[kClone]();
    return {
      data: { ...data, quota: this.#quota, requested: this.#requested },
      deserializeInfo: 'internal/errors/quota_exceeded_error',
    };
  }

  [kDeserialize](data) {
    super[kDeserialize](data);
    this.#quota = data.quota;
    this.#requested = data.requested;
  }

  get quota() {
    if (!(#quota in this)) throw new ERR_INVALID_THIS('QuotaExceededError');
    return this.#quota;
  }

  get requested() {
    if (!(#quota in this)) throw new ERR_INVALID_THIS('QuotaExceededError');
    return this.#requested;
  }
}

Object.defineProperties(QuotaExceededError.prototype, {
  [Symbol.toStringTag]: { __proto__: null, value: 'QuotaExceededError', configurable: true },
  quota: { __proto__: null, enumerable: true },
  requested: { __proto__: null, enumerable: true },
});

module.exports = QuotaExceededError;
