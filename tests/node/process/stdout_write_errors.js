for (const value of [null, undefined, 1, {}]) {
  try {
    process.stdout.write(value);
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
