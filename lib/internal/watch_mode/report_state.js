'use strict';
// Whether this program was started by --watch, which wants to know its modules.

module.exports = { state: { isActive: false } };
