let fired = false;
setTimeout(() => { fired = true; }, 20);
setImmediate(function again() {
  if (!fired) setImmediate(again);
  else console.log('timer came during the chain');
});
