for (const id of ['conditional/secret', 'conditional/package.json', 'import-only']) {
  try {
    require(id);
  } catch (e) {
    console.log(e.code, e.message);
  }
}
