setTimeout(() => {
  console.log('1');
  Promise.resolve().then(() => setTimeout(() => console.log('inner'), 0));
  setImmediate(() => console.log('immediate'));
}, 1);
setTimeout(() => console.log('2'), 1);
const start = Date.now();
while (Date.now() - start < 10);
