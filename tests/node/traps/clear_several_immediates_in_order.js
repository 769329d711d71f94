const list = [];
for (let i = 0; i < 8; i++) {
  list.push(setImmediate(() => {
    console.log(i);
    clearImmediate(list[i + 1]);
    clearImmediate(list[i + 2]);
    clearImmediate(list[i]);
    clearImmediate(list[i - 1]);
  }));
}
