console.log({ a: 'x'.repeat(30), b: 'y'.repeat(30), c: 1 });
console.log({ a: 'x'.repeat(30), b: 'y'.repeat(35), c: 1 });
console.log({ one: { two: { three: 1 } }, list: ['a', 'b'], f() {} });
console.log(Array.from({ length: 30 }, (_, i) => i * 7), Array.from({ length: 27 }, (_, i) => 'item' + i));
console.log(['short', 'x'.repeat(80)], 'a\n'.repeat(3));
console.log({ text: 'multi\nline text that is longer than sixteen\nand goes on' });
