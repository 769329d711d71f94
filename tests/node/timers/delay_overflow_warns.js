const timer = setTimeout(() => console.log('after 1 ms'), 2 ** 31);
console.log(timer._idleTimeout);
process.on('warning', (w) => console.log(w.name, w.message));
// TIMERS-2
