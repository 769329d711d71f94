// undefined leaves an end of the range out; null is no number.
'use strict';
const fs = require('node:fs');

for (const range of [{ end: undefined }, { end: null }, { end: Infinity }, { start: undefined }, { start: null }, { start: 1, end: null }]) {
  try {
    const stream = fs.createReadStream(__filename, range);
    stream.destroy();
    console.log(range, stream.start, stream.end);
  } catch (error) {
    console.log(range, error.code, error.message);
  }
}
