for (const id of ['invalid-target', 'invalid-target/up']) {
  try {
    require(id);
  } catch (e) {
    console.log(e.code, e.message);
  }
}
