console.log([1, 2, 3, 4].findLast((x) => x % 2), [1, 2, 3].findLastIndex((x) => x > 5), new Int8Array([1, 2]).findLast(() => true));
console.log([1, [2, [3]]].flat(Infinity), Object.hasOwn({ a: 1 }, 'a'), [1, 2].at(-1), 'abc'.at(-1), Object.fromEntries([['a', 1]]));
