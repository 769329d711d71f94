const a = [3, 1, 2];
console.log(a.toSorted(), a.toSorted((x, y) => y - x), a.toReversed(), a.with(1, 'x'), a.with(-1, 'z'), a.toSpliced(1, 1, 'p', 'q'), a);
console.log([1, , 3].toReversed(), Array.prototype.toSorted.call({ length: 2, 0: 'b', 1: 'a' }));
for (const f of [() => a.with(5, 1), () => a.toSorted('x')]) {
  try {
    f();
  } catch (e) {
    console.log(e.name);
  }
}
console.log(Array.prototype.toSorted.length, Array.prototype.with.length, Array.prototype.toSpliced.length, Array.prototype.toSorted.name, Object.keys(Array.prototype));
