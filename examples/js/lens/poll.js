const fs = require('node:fs');

fs.readFile(__filename, function isRead(error, data) {
  console.log(`${data.length} bytes`);
});
