'use strict';
const { checkPrime, checkPrimeSync, generatePrime, generatePrimeSync } = require('node:crypto');

function attempt(label, run) {
  try {
    console.log(label, run());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
for (const value of [0n, 1n, 2n, 3n, 4n, 7n, 561n, 65537n, 2n ** 61n - 1n, 2n ** 64n + 13n, 2n ** 127n - 1n, 2n ** 128n + 1n]) {
  attempt(value, () => checkPrimeSync(value, { checks: 5 }));
}
attempt('bytes', () => checkPrimeSync(Buffer.from([1, 0, 1])));
attempt('none', () => checkPrimeSync(Buffer.alloc(0)));
attempt('negative', () => checkPrimeSync(-7n));
for (const bad of [1, 'a', null]) attempt('type', () => checkPrimeSync(bad));
attempt('checks', () => checkPrimeSync(7n, { checks: -1 }));
for (const bits of [3, 32, 64]) {
  const prime = generatePrimeSync(bits, { bigint: true });
  console.log(bits, checkPrimeSync(prime), prime.toString(2).length, generatePrimeSync(bits).byteLength);
}
attempt('safe', () => checkPrimeSync((generatePrimeSync(32, { safe: true, bigint: true }) - 1n) / 2n));
attempt('add', () => generatePrimeSync(32, { add: 12n, bigint: true }) % 12n);
attempt('rem', () => generatePrimeSync(32, { add: 12n, rem: 7n, bigint: true }) % 12n);
attempt('add', () => generatePrimeSync(3, { add: 64n }));
attempt('rem', () => generatePrimeSync(8, { add: 4n, rem: 5n }));
attempt('small', () => generatePrimeSync(1));
for (const bad of [0, -1, 1.5, 2 ** 31, '8']) attempt('size', () => generatePrimeSync(bad));
attempt('option', () => generatePrimeSync(8, { safe: 1 }));
attempt('option', () => generatePrimeSync(8, { add: 1 }));
generatePrime(16, { bigint: true }, (error, prime) => {
  console.log(error, checkPrimeSync(prime));
  checkPrime(prime, (failure, answer) => console.log(failure, answer));
});
