// Text that would break out of a page, wherever a page could show it.
const fs = require('node:fs');

const kHostile = '</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>';
console.log(kHostile);
console.error(`]]>'"&lt;${kHostile}\u2028`);
fs.readFile(`/nowhere/${kHostile}`, (error) => console.log(error.code));
process.nextTick(Object.defineProperty(() => {}, 'name', { value: kHostile }));
