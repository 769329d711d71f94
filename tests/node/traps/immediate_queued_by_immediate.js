// waits for the next iteration: a timer that is due by then runs between the two
setImmediate(() => {
  console.log('immediate 1');
  setTimeout(() => console.log('timer'), 1);
  setImmediate(() => console.log('immediate 3'));
  const start = Date.now();
  while (Date.now() - start < 10);
});
setImmediate(() => console.log('immediate 2'));
// CHECK-2
