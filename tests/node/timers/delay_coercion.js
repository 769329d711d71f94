// Not a number, negative, fractions, too large: 1 ms; strings are numbers.
for (const delay of [0, -5, NaN, undefined, null, '2', 'x', 1.9, {}, [], true]) {
  const timer = setTimeout(() => {}, delay);
  console.log(String(delay), timer._idleTimeout);
  clearTimeout(timer);
}
// TIMERS-2
