// rondo-test: option=--trace-sync-io
// Waiting for files is shown when the loop runs, not before.
const fs = require('fs');
const { execFileSync } = require('child_process');

fs.statSync(__filename);
setImmediate(() => fs.statSync(__filename));
