// latin1 and ascii are windows-1252 in the Encoding Standard.
'use strict';
const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
for (const label of ['latin1', 'ascii', 'windows-1252', 'iso-8859-1']) {
  const decoder = new TextDecoder(label);
  const text = decoder.decode(bytes);
  console.log(label, decoder.encoding, text.length, [...text.slice(126, 162)].map((c) => c.codePointAt(0).toString(16)).join(' '));
  console.log(decoder.decode(bytes.subarray(0x80, 0x83), { stream: true }) + decoder.decode());
}
for (const bad of [undefined, null, 1, 'text']) {
  try {
    console.log(JSON.stringify(new TextDecoder('latin1').decode(bad)));
  } catch (error) {
    console.log(error.code, error.message);
  }
}
