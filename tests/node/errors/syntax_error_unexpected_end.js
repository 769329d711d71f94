function f() {
  if (true) {
