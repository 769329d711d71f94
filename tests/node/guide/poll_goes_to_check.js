// Immediates are waiting, so poll does not wait for the far timer.
const start = Date.now();
const far = setTimeout(() => console.log('timer'), 30000);
setImmediate(() => {
  console.log('immediate', Date.now() - start < 10000);
  clearTimeout(far);
});
// POLL-4
