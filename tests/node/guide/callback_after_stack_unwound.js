function outer() {
  process.nextTick(() => console.log('after the stack has unwound'));
  inner();
  console.log('outer ends');
}
function inner() { console.log('inner ends'); }
outer();
console.log('main ends');
// LIFE-1
