typeof kept
var a = 1
function g() {
  return a;
}
a b