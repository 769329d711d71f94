{
  using timer = setTimeout(() => console.log('never'), 1);
  using interval = setInterval(() => console.log('never'), 1);
  using immediate = setImmediate(() => console.log('never'));
  console.log(timer.hasRef(), interval.hasRef(), immediate.hasRef());
}
const timer = setTimeout(() => {}, 1000);
console.log(timer[Symbol.dispose](), timer._destroyed, timer._onTimeout, timer._idleTimeout);
const keys = [];
for (const key in timer) keys.push(key);
console.log(keys.includes('close'), keys.includes('refresh'), timer[Symbol.dispose].name === '');
const immediate = setImmediate(() => {});
immediate[Symbol.dispose]();
console.log(immediate._destroyed, immediate._onImmediate);
