for (const value of [undefined, null, 1, 'x', {}]) {
  try {
    queueMicrotask(value);
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
console.log(queueMicrotask.name, queueMicrotask.length);
