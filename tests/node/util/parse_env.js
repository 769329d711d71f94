'use strict';
const { parseEnv } = require('util');
const texts = [
  '', 'A=1', 'A=1\r\nB=2\r\n', '  A = 1  # c\n\n\n#B=2\nC=', 'A="x\\ny"\nB=\'x\\ny\'\nC=`x\\ny`',
  'A="one\ntwo"\nB=2', 'A="open\nB=2', 'A=\'open', 'no equals\nB=2', '=x\nB=2', '=\nB=2', 'export A=1\nexport   B=2\nexport C=',
  'A=\n  # B=C', 'A="x" rest # c\nB=1', 'A=x=y', 'Z=1\nA=2\nM=3', 'A=1\nA=2', '\tA\t=\t1\t', 'A=#x', 'ä=ö€😀', '#only',
];
for (const text of texts) console.log(JSON.stringify(text), parseEnv(text));
for (const value of [undefined, 1, {}, Buffer.from('A=1')]) {
  try {
    parseEnv(value);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
