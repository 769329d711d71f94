console.log(Array.from({ length: 101 }, (_, i) => i));
console.log(new Set(Array.from({ length: 101 }, (_, i) => i)).size, [, , 1, , 2, , ,], Object.assign([1], { extra: true, '-1': 0 }));
console.log(require('util').inspect(Array(200).fill('a'), { maxArrayLength: 3 }), require('util').inspect('x'.repeat(50), { maxStringLength: 10 }));
