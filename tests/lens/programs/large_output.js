// Each callback prints more than a pipe holds.
const fs = require('fs');
const text = Buffer.alloc(2.5e6, 'x');
for (let i = 0; i < 8; i++) {
  setImmediate(() => {
    for (let done = 0; done < text.length;) done += fs.writeSync(1, text, done);
  });
}
