setImmediate(() => {
  const inner = setImmediate(() => console.log('never'));
  clearImmediate(inner);
  setImmediate(() => console.log('inner 2'));
  console.log('outer');
});
