'use strict';
// `using` closes an Interface.
const { PassThrough } = require('node:stream');
for (const readline of [require('node:readline'), require('node:readline/promises')]) {
  {
    using lines = readline.createInterface({ input: new PassThrough() });
    lines.on('close', () => console.log('closed', lines.closed));
    console.log(typeof lines[Symbol.dispose], lines[Symbol.dispose].name);
  }
  console.log('after the block');
}
