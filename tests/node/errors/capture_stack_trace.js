function make() {
  const target = { name: 'Target', message: 'captured' };
  Error.captureStackTrace(target, make);
  return target;
}
function caller() { return make(); }
console.log(caller().stack);
const plain = {};
Error.captureStackTrace(plain);
console.log(Object.getOwnPropertyDescriptor(plain, 'stack').enumerable);
