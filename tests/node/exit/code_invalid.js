for (const code of ['abc', 1.5, {}, true, NaN]) {
  try {
    process.exitCode = code;
    console.log('accepted', code);
  } catch (e) {
    console.log(e.code, e.message);
  }
}
process.exitCode = undefined;
process.exitCode = null;
console.log(process.exitCode);
