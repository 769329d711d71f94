console.log(require('patterns/features/x.js'), require('patterns/features/deep/y.js'), require('patterns/short/x'));
for (const id of ['patterns/features/private/z.js', 'patterns/other']) {
  try {
    require(id);
  } catch (e) {
    console.log(e.code, e.message);
  }
}
