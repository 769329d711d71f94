for (const id of [undefined, '', 1, null, {}]) {
  try {
    require(id);
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
