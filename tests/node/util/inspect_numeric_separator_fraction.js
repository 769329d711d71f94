const { inspect } = require('util');
for (const number of [1e-7, 0.0001234, -0.5, -1234.56789, 123456.7891, 1e21, -0, NaN, -Infinity]) {
  console.log(inspect(number, { numericSeparator: true }));
}
