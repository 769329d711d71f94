try {
  require('./fixtures/bad_package');
} catch (e) {
  console.log(e.name, e.code, e.message.includes('bad_package'));
}
