function f() { return f() + 1; }
try {
  f();
} catch (e) {
  console.log(e instanceof RangeError, e.message);
}
