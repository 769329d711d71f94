'use strict';
// node:sqlite. The classes are C++: src/runtime/sqlite/.

const { forbidExtensions, setQueryHooks, DatabaseSync, StatementSync, Session, constants, backup } = binding('sqlite');
const { watchChannel } = require('internal/trace/active_channels');
const { channel } = require('diagnostics_channel');
const { state: permissions } = require('internal/process/permission');

if (permissions.isEnabled) forbidExtensions();

// Queries are published only while there are subscribers: C++ checks this number first.
const subscribed = new Int32Array(1);
const queries = channel('sqlite.db.query');
watchChannel(queries.name, (isActive) => { subscribed[0] = isActive ? 1 : 0; });
setQueryHooks(subscribed, (sql, database, duration) => {
  queries.publish({ __proto__: null, sql, database, duration });
});

module.exports = { DatabaseSync, StatementSync, Session, constants, backup };
