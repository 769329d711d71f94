const bytes = new TextEncoder().encode('aé€😀\ud800');
console.log(bytes, new TextEncoder().encodeInto('é€', new Uint8Array(4)));
console.log(new TextDecoder().decode(bytes), new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 65])).length, new TextDecoder().decode(new Uint8Array([0xff, 65])));
const d = new TextDecoder();
console.log(d.decode(bytes.subarray(0, 2), { stream: true }) + d.decode(bytes.subarray(2)), d.encoding, d.fatal);
console.log(new TextDecoder('utf-16le').decode(new Uint8Array([65, 0, 66, 0])), new TextDecoder('latin1').encoding);
try {
  new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff]));
} catch (e) {
  console.log(e.name, e.code, e.message);
}
try {
  new TextDecoder('nope');
} catch (e) {
  console.log(e.name, e.code, e.message);
}
