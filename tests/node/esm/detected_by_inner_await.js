// A text that is not CommonJS because of an await somewhere inside, which the errors do not name.
const list = [await 1, ...await [2], `${await 3}`];
console.log(list, Math.max(1, await 4));
if (await 5) console.log(this);
