'use strict';
const { begin } = require('./measure.js');

const n = 1e6;
let count = 0;
const end = begin(n);
for (let i = 0; i < n; i++) {
  clearTimeout(setTimeout(() => {
    count++;
  }, 1000));
}
end();
setImmediate(() => {
  if (count !== 0) throw new Error('a timer that was cleared must not run');
});
