'use strict';
// Under the name that Node's own files know: the frame that holds the stores of every AsyncLocalStorage. There is never
// one here, because our stores travel with the resources (internal/async_hooks).

module.exports = { current() {} };
