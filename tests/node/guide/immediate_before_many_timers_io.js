// However many timers there are.
const fs = require('fs');
fs.readFile(__filename, () => {
  for (let i = 0; i < 1000; i++) setTimeout(() => { if (i % 250 === 0) console.log('timeout', i); }, 0);
  setImmediate(() => console.log('immediate'));
  const start = Date.now();
  while (Date.now() - start < 5);
});
// CHECK-3
