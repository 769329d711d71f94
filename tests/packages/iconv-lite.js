'use strict';
const { Readable } = require('node:stream');
const iconv = require('iconv-lite');

const text = 'na\u00efve \u20ac \u0436\u0443\u043a \u65e5\u672c\u8a9e \u4e2d\u6587 \ud55c\uad6d\uc5b4';
for (const encoding of ['utf8', 'utf16le', 'utf-16', 'utf-7', 'utf32', 'win1252', 'koi8-r', 'cp437', 'Shift_JIS', 'EUC-JP',
  'GBK', 'gb18030', 'big5', 'euc-kr', 'iso-8859-15', 'macroman']) {
  const bytes = iconv.encode(text, encoding);
  console.log(encoding, iconv.encodingExists(encoding), bytes.toString('hex'), iconv.decode(bytes, encoding));
}
console.log(iconv.encode('\ufefftext', 'utf16', { addBOM: true }), iconv.decode(Buffer.from([0xef, 0xbb, 0xbf, 0x61]), 'utf8', { stripBOM: false }).length);

// Characters cut in two by the chunks of a stream.
const bytes = iconv.encode(text.repeat(50), 'gb18030');
const chunks = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, i) => bytes.subarray(i * 3, i * 3 + 3));
Readable.from(chunks, { objectMode: false }).pipe(iconv.decodeStream('gb18030')).collect((error, result) => {
  console.log(error, result === iconv.decode(bytes, 'gb18030'), result.length);
});
try {
  iconv.encode('', 'no-such-encoding');
} catch (error) {
  console.log(error.message);
}
