setTimeout(function fails() {
  console.log('before');
  throw new Error('nobody catches this');
}, 1);
setTimeout(() => console.log('never'), 50);
