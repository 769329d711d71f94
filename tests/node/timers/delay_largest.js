const timer = setTimeout(() => console.log('never'), 2 ** 31 - 1);
console.log(timer._idleTimeout);
clearTimeout(timer);
// TIMERS-2
