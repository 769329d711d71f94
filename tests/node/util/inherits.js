const { inherits } = require('util');
function Base() {}
Base.prototype.hello = () => 'hello';
function Derived() {}
inherits(Derived, Base);
console.log(new Derived().hello(), Derived.super_ === Base, Object.keys(Derived));
for (const args of [[Derived, {}], [null, Base], [Derived]]) {
  try {
    inherits(...args);
  } catch (e) {
    console.log(e.code, e.message);
  }
}
