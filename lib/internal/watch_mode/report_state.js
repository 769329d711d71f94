'use strict';
// Whether --watch has started this program and is to get the list of its modules.

module.exports = { state: { isActive: false } };
