for (const value of [undefined, null, 1, 'x', {}]) {
  try {
    process.nextTick(value);
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
