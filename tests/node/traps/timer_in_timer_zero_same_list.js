// ... also when the list it joins is the one that runs and other timers of it are still to come.
setTimeout(() => {
  console.log('1');
  setTimeout(() => console.log('inner'), 1);
  setImmediate(() => console.log('immediate'));
}, 1);
setTimeout(() => console.log('2'), 1);
setTimeout(() => console.log('3'), 1);
const start = Date.now();
while (Date.now() - start < 10);
