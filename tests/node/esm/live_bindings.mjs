import { count, increment } from './fixtures/live.mjs';
console.log(count);
increment();
console.log(count);
try {
  eval('count = 5');
} catch (e) {
  console.log(e.name, e.message);
}
