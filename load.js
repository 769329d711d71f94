const loaded = 1;
function twice(x) {
  return 2 * x;
}
twice(loaded)
