'use strict';
// Under the name that Node's own files know. They ask whether an AsyncLocalStorage could be in use here, to bind a
// callback to its context; our stores travel with the resources (internal/async_hooks).

const { asyncState } = require('internal/async_hooks');

module.exports = {
  // Truthy if there may be a store.
  current: () => (asyncState.contextInUse ? asyncState : undefined),
};
