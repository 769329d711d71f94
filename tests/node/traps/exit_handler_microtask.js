process.on('exit', () => {
  Promise.resolve().then(() => console.log('microtask'));
  console.log('exit');
});
