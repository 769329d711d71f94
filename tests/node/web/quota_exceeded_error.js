'use strict';
// QuotaExceededError is a DOMException with two numbers.
for (const options of [undefined, null, {}, { quota: 1 }, { quota: 1, requested: '2' }, { quota: 3, requested: 2 },
  { quota: -1 }, { requested: NaN }, { quota: Infinity }, { requested: -0.5 }]) {
  try {
    const error = new QuotaExceededError('full', options);
    const copy = structuredClone(error);
    console.log(error.name, error.code, error.message, error.quota, error.requested);
    console.log(copy instanceof QuotaExceededError, copy.quota, copy.requested, copy.message);
  } catch (error) {
    console.log(error.name, error.message);
  }
}
console.log(new QuotaExceededError() instanceof DOMException, String(new QuotaExceededError('x')),
  Object.keys(QuotaExceededError.prototype));
