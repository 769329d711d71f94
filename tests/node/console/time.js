// The figures vary; that something is printed and which warnings come does not.
const lines = [];
const { write } = process.stdout;
process.stdout.write = (text) => lines.push(String(text).replace(/[\d.:]+ ?(ms|s|m)/, 'N'));
console.time();
console.timeLog('default', 'extra', { a: 1 });
console.timeEnd();
console.time('label');
console.time('label');
console.timeEnd('label');
console.timeEnd('label');
console.timeLog('nope');
process.stdout.write = write;
console.log(lines.join(''));
