'use strict';
// node:inspector: sessions with V8's debugger and profilers.

const engineConsole = require('internal/console/engine');
const { DOMStorage, Network, NetworkResources } = require('internal/inspector/notifications');
const { close, open, url, waitForDebugger } = require('internal/inspector/server');
const { Session } = require('internal/inspector/session');

module.exports = {
  open,
  close,
  url,
  waitForDebugger,
  console: engineConsole,
  Session,
  Network,
  NetworkResources,
  DOMStorage,
};
