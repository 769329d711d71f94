'use strict';
// The value of the header Date, made once a second.

const { setUnrefTimeout } = require('internal/timers');

let text;

function forget() {
  text = undefined;
}

function utcDate() {
  if (text !== undefined) return text;
  const now = new Date();
  text = now.toUTCString();
  setUnrefTimeout(forget, 1000 - now.getMilliseconds());
  return text;
}

module.exports = { utcDate };
