try {
  require('./fixtures/with_await.mjs');
} catch (e) {
  console.log(e.name, e.code);
}
