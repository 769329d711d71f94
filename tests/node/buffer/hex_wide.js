// Hexadecimal text with characters beyond Latin-1: only the low byte of each counts.
'use strict';

const texts = ['\u6362\u3831', '\u0162\u0131', 'ab\u6362\u3831', '\u0161\u0161g\u0161', 'a\u0162', '\xe1\xe2', 'ab\xe1\xe2',
  '\u6867\u0131', 'abc\u0161', 'ab\u{1f361}'];
const found = Buffer.from('00abb1', 'hex');
for (const text of texts) {
  const bytes = Buffer.alloc(8);
  console.log(JSON.stringify(text), Buffer.from(text, 'hex').toString('hex'), Buffer.byteLength(text, 'hex'));
  console.log(bytes.write(text, 'hex'), bytes.toString('hex'), bytes.hexWrite(text, 1), bytes.toString('hex'));
  try {
    console.log(Buffer.alloc(5).fill(text, 'hex').toString('hex'));
  } catch (error) {
    console.log(error.code);
  }
  console.log(found.indexOf(text, 0, 'hex'), found.lastIndexOf(text, undefined, 'hex'), found.includes(text, 0, 'hex'));
}
