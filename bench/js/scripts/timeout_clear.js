'use strict';
const { begin } = require('./measure.js');

const n = 1e6;
function timeout() {
  throw new Error('a timer that was cleared must not run');
}
const end = begin(n);
for (let i = 0; i < n; i++) clearTimeout(setTimeout(timeout, 1000));
end();
