const t = new Uint8Array([3, 1, 2]);
console.log(t.toSorted(), t.toReversed(), t.with(0, 9), t, new Float32Array([NaN, 1, -0, 0]).toSorted());
