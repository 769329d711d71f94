// The scene of the guide: a callback that begins before the threshold and ends after it holds the timer back. The read is
// started late and its callback goes on until the timer is overdue, so that the order does not depend on the machine.
const fs = require('node:fs');
const start = Date.now();
const order = [];
setTimeout(() => {
  order.push('timer');
  console.log(order.join(' '), Date.now() - start >= 1005);
}, 1000);
fs.readFile(__filename, () => {
  order.push('read begins', Date.now() - start < 1000 ? 'before the threshold' : 'late');
  while (Date.now() - start < 1005);
  order.push('read ends');
});
// POLL-5
