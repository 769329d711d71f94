async function* gen() { for (let i = 0; i < 3; i++) { await null; yield i; } }
(async () => { for await (const x of gen()) console.log('item', x); console.log('done'); })();
let n = 0;
(function tick() { if (n++ < 12) Promise.resolve().then(tick).then(() => console.log('beat', n)); })();
