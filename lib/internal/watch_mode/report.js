'use strict';
// In the child of --watch: reports which modules it has loaded or looked for.

const { state } = require('internal/watch_mode/report_state');

// At each start.
function setUp() {
  state.isActive = Boolean(process.env.WATCH_REPORT_DEPENDENCIES) && process.send !== undefined;
}

function send(message) {
  if (process.connected) process.send(message);
}

function reportRequired(...files) {
  send({ 'watch:require': files });
}

function reportImported(url) {
  if (url.startsWith('file:')) send({ 'watch:import': [url] });
}

module.exports = { reportImported, reportRequired, setUp };
