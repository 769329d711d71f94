'use strict';
// Whether the program is on its way out: from then on nothing is put off any more.

module.exports = { exitState: { isExiting: false } };
