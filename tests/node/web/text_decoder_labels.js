// TextDecoder: every label of the standard, all bytes of the single-byte encodings, hostile bytes for the others.
const { createHash } = require('node:crypto');
const kLabels = `utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 x-unicode20utf8 866 cp866 csibm866 ibm866 csisolatin2 iso-8859-2 l2 iso-8859-3
  iso-8859-4 iso-8859-5 cyrillic iso-8859-6 arabic iso-8859-7 greek iso-8859-8 hebrew iso-8859-8-i logical iso-8859-10 l6 iso-8859-13
  iso-8859-14 iso-8859-15 l9 iso-8859-16 koi8-r koi8-u koi8-ru macintosh mac x-mac-roman windows-874 tis-620 windows-1250 windows-1251
  windows-1252 latin1 ascii us-ascii iso-8859-1 windows-1253 windows-1254 latin5 windows-1255 windows-1256 windows-1257 windows-1258
  x-mac-cyrillic x-mac-ukrainian gbk gb2312 chinese gb18030 big5 big5-hkscs cn-big5 euc-jp x-euc-jp iso-2022-jp shift_jis sjis ms932
  euc-kr korean ks_c_5601-1987 windows-949 utf-16be unicodefffe utf-16le utf-16 ucs-2 unicode x-user-defined replacement hz-gb-2312
  iso-2022-kr none utf-7 ${'\u00e9'}`.trim().split(/\s+/);
const all = Uint8Array.from({ length: 256 }, (_, i) => i);
const hash = (text) => createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, 12);
for (const label of kLabels) {
  try {
    const decoder = new TextDecoder(` ${label.toUpperCase()}\n`);
    console.log(label, decoder.encoding, hash(decoder.decode(all)));
    console.log(new TextDecoder(label, { fatal: true }).decode(all).length);
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
// Several bytes for a character, cut anywhere.
const samples = { 'gb18030': [0x81, 0x30, 0x81, 0x30, 0xb0, 0xa1, 0x84, 0x31, 0xa4, 0x37, 0x90, 0x30, 0x81, 0x30], 'gbk': [0xb0, 0xa1, 0x80, 0xff, 0xa2, 0xe3],
  'big5': [0xa4, 0x40, 0x88, 0x62, 0x87], 'euc-jp': [0xa4, 0xa2, 0x8f, 0xb0, 0xa1, 0x8e, 0xb1], 'shift_jis': [0x82, 0xa0, 0xb1, 0x81],
  'euc-kr': [0xb0, 0xa1, 0xc8, 0xfe, 0x81], 'utf-16be': [0, 0x61, 0xd8, 0x3d, 0xde, 0], 'koi8-u': [0xa4, 0xa6, 0xa7, 0xad] };
for (const [encoding, bytes] of Object.entries(samples)) {
  const whole = new TextDecoder(encoding).decode(Uint8Array.from(bytes));
  const decoder = new TextDecoder(encoding);
  let parts = '';
  for (const byte of bytes) parts += decoder.decode(Uint8Array.of(byte), { stream: true });
  parts += decoder.decode();
  console.log(encoding, JSON.stringify(whole), parts === whole);
}
for (const input of ['x', {}, null, 5]) {
  for (const encoding of ['koi8-u', 'windows-1252', 'gbk', 'utf-8', 'utf-16le']) {
    try { new TextDecoder(encoding).decode(input); } catch (error) { console.log(encoding, error.code, error.message); }
  }
}
