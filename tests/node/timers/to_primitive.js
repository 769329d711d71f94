const timer = setTimeout(() => {}, 1);
const id = timer[Symbol.toPrimitive]();
console.log(typeof id, id === +timer, `${timer}` === String(id));
clearTimeout(id);
console.log(timer._destroyed);
