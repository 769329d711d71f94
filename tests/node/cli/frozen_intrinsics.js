// rondo-test: option=--frozen-intrinsics option=--no-warnings
'use strict';
// What JavaScript comes with cannot be changed; what inherits from it can have properties of its own.
const attempt = (name, fn) => {
  try {
    console.log(name, fn());
  } catch (error) {
    console.log(name, error.name, error.message);
  }
};
attempt('method', () => { Array.prototype.push = 1; });
attempt('new', () => { Array.prototype.extra = 1; });
attempt('static', () => { Object.keys = 1; });
attempt('console', () => { console.log = 1; });
attempt('globalThis', () => { globalThis.globalThis = 1; });
attempt('Math', () => { Math.PI = 3; });
attempt('generator', () => { Object.getPrototypeOf(function* () {}).prototype.next = 1; });
attempt('own', () => {
  const object = {};
  object.toString = () => 'own';
  return [String(object), Object.keys(object)];
});
attempt('error', () => Object.assign(new Error('m'), { name: 'Named', message: 'other' }).toString());
attempt('class', () => {
  class List extends Array {
    push(value) { return super.push(value + 1); }
  }
  const list = new List();
  list.push(1);
  list.join = () => 'joined';
  return [list[0], list.join()];
});
attempt('descriptor', () => {
  const { get, set, ...rest } = Object.getOwnPropertyDescriptor(Array.prototype, 'push');
  return [get.value.name, typeof set, rest];
});
attempt('frozen', () => [Object, Array.prototype, Promise.prototype, JSON, Reflect, Intl, setTimeout, Map.prototype.get]
  .map((value) => Object.isFrozen(value)));
attempt('not frozen', () => [globalThis, process, URL, Buffer].map((value) => Object.isFrozen(value)));
class Quiet extends console.Console {}
const quiet = new Quiet(process.stdout);
quiet.log = undefined;
console.log(quiet.log);
setTimeout(() => console.log('timer'), 1);
Promise.resolve().then(() => console.log('promise'));
require('fs').readFile(__filename, (error, data) => console.log(error, data.length > 0));
import('fs').then(({ readFile }) => console.log(typeof readFile));
