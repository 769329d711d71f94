// rondo-test: scratch
// A loop over readLines() that is left leaves no descriptor open, however often.
'use strict';
const fs = require('fs');

const count = () => fs.readdirSync('/proc/self/fd').length;

async function rounds(times) {
  for (let i = 0; i < times; i++) {
    const handle = await fs.promises.open('file');
    for await (const line of handle.readLines()) {
      if (line === 'line 3') break;
    }
    await handle.close(); // the stream has closed it, or does so
  }
}

(async () => {
  fs.writeFileSync('file', Array.from({ length: 10_000 }, (_, i) => `line ${i}\n`).join(''));
  await rounds(3);
  const before = count();
  await rounds(100);
  console.log('more descriptors', count() - before);
})();
