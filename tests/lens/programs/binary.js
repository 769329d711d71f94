// Bytes that are not UTF-8, and a character in two halves.
process.stdout.write(Buffer.from([0xff, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x0a]));
process.stdout.write(Buffer.from([0xe2, 0x82]), () => {
  setTimeout(() => process.stdout.write(Buffer.from([0xac, 0x0a])), 20);
});
