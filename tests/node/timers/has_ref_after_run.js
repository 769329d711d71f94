const timer = setTimeout(() => {}, 1);
setTimeout(() => console.log(timer.hasRef(), timer._destroyed), 10);
