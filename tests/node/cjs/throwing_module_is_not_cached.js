globalThis.times = 0;
for (let i = 0; i < 2; i++) {
  try {
    require('./fixtures/throws_first.js');
  } catch (e) {
    console.log(e.message);
  }
}
console.log(require('./fixtures/throws_first.js'));
