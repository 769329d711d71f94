console.log(typeof require, typeof module, typeof exports, typeof __filename, typeof __dirname, this);
try {
  undeclared = 1;
} catch (e) {
  console.log(e.name, e.message);
}
