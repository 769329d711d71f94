try {
  require('./not-there');
} catch (e) {
  console.log(e.code, e.message, e.requireStack.join());
}
