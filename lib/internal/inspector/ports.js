'use strict';
// Ports for the debuggers of child processes: workers of a cluster, files of tests.

const { validatePort } = require('internal/validators');

const kLeastPort = 1024;
const kMostPort = 65535;

let given = 0; // to children

function isOption(text) {
  return /--inspect(?:-brk|-port)?|--debug-port/.test(text);
}

// Whether debuggers may attach to this process, and so to its children.
function isInspected(execArgv = process.execArgv) {
  return execArgv.some(isOption) || isOption(process.env.NODE_OPTIONS);
}

// The port of the next child. `wanted`: a number, a function that returns one, or nothing.
function nextPort(wanted) {
  let port = typeof wanted === 'function' ? wanted() : wanted;
  if (port === undefined || port === null) {
    port = process.debugPort + ++given;
    if (port > kMostPort) port += kLeastPort - 1 - kMostPort;
  }
  return validatePort(port);
}

// A line on standard error that is the server's, and none of the program.
function isServersLine(line) {
  return isInspected() && /Debugger listening on ws:|Debugger attached|Waiting for the debugger/.test(line);
}

module.exports = { isInspected, isServersLine, nextPort };
