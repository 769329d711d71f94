'use strict';
// In place of the package's own checks of arguments: the runtime's.

module.exports = require('internal/validators');
