// A listener that throws each time does not keep the loop alive, and delays no other listener.
const { subscribe } = require('rondo:lens');

let errors = 0;
let turns = 0;
process.on('uncaughtException', (error) => {
  console.log('uncaught:', error);
  if (++errors === 20) process.exit(1); // it would continue forever
});
subscribe(() => { throw 'each time'; });
subscribe(() => turns++);
setTimeout(() => {}, 5);
process.on('exit', (code) => console.log(code, turns > 0, errors <= turns));
