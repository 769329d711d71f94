try {
  require('./fixtures/with_imports/asks_self.js');
} catch (e) {
  console.log(e.code, e.message);
}
