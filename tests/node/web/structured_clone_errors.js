for (const bad of [() => {}, Symbol('s'), { f() {} }, new WeakMap(), Promise.resolve()]) {
  try {
    structuredClone(bad);
  } catch (e) {
    console.log(e.name, e.code, e instanceof DOMException, e.message);
  }
}
