'use strict';
// Whether there is a compile cache: what nearly every program asks, and nearly none has.

module.exports = {
  cache: undefined, // internal/modules/compile_cache, once it is enabled
};
