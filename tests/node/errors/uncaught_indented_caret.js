function f() {
  if (true) {
      /* a comment */ throw new RangeError('indented');
  }
}
f();
