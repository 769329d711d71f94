'use strict';
// The port for debuggers of other processes, which we do not have: url() is undefined, as before open() in Node.

const { ERR_INSPECTOR_NOT_ACTIVE, ERR_INSPECTOR_NOT_AVAILABLE } = require('internal/errors').codes;
const permission = require('internal/process/permission');

function open(port, host, wait) {
  permission.check('inspector');
  throw new ERR_INSPECTOR_NOT_AVAILABLE();
}

function close() {}

function url() {
  return undefined;
}

function waitForDebugger() {
  throw new ERR_INSPECTOR_NOT_ACTIVE();
}

module.exports = { close, open, url, waitForDebugger };
