try {
  require.resolve('./nope');
} catch (e) {
  console.log(e.code, e.message);
}
