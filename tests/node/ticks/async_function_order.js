async function f(name) {
  console.log(name, 1);
  await null;
  console.log(name, 2);
  await null;
  console.log(name, 3);
}
f('a');
f('b');
process.nextTick(() => console.log('tick'));
console.log('main');
