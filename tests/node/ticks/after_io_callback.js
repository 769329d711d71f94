const fs = require('fs');
fs.readFile(__filename, 'utf8', (error, text) => {
  console.log('read', error, text.length > 10);
  Promise.resolve().then(() => console.log('microtask'));
  process.nextTick(() => console.log('tick'));
  setImmediate(() => console.log('immediate'));
});
