'use strict';
// Argument: which of the works below.
const { begin } = require('./measure.js');

const n = 2e5;
const call = {
  ascii: () => new URL('https://www.example.org/a/folder/page.html'),
  query: () => new URL('https://user:pass@www.example.org:8080/a/b/../c?name=value&other=a%20b#part'),
  relative: () => new URL('../other/page?x=1', 'https://www.example.org/a/folder/page.html'),
}[process.argv[2]];

function loop(times) {
  let sum = 0;
  for (let i = 0; i < times; i++) sum += call().href.length;
  if (sum < times * 20) throw new Error(`sum ${sum}`);
}
loop(n / 10);
const end = begin(n);
loop(n);
end();
