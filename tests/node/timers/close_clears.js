const timer = setTimeout(() => console.log('never'), 1);
console.log(timer.close() === timer, timer._destroyed);
