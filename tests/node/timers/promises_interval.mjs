import { setInterval } from 'timers/promises';
let n = 0;
for await (const value of setInterval(2, 'beat')) {
  console.log(value, ++n);
  if (n === 3) break;
}
console.log('done');
