// readFile is several steps: an immediate that was queued before it was started runs first.
const fs = require('fs');
setImmediate(() => console.log('immediate'));
fs.readFile(__filename, () => console.log('readFile'));
// POLL-7
