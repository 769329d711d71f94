// Every function that reads or writes a number: at its bounds, out of range, of other types.
const attempt = (call) => {
  try {
    const value = call();
    return typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '-0' : String(value);
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const bytes = () => Buffer.from('ff8001fe7f00a55affeeddccbbaa9988', 'hex');
const names = Object.getOwnPropertyNames(Buffer.prototype).filter((name) => /^(read|write).*(8|16|32|64|Int|Float|Double)/.test(name)).sort();
for (const name of names) {
  const takesLength = /^(read|write)U?[Ii]nt(LE|BE)$/.test(name);
  if (name.startsWith('read')) {
    const offsets = [undefined, 0, 1, 8, 15, 16, -1, 1.5, NaN, '1', null];
    for (const offset of offsets) {
      const lengths = takesLength ? [1, 2, 3, 4, 5, 6, 0, 7, undefined, '2'] : [undefined];
      for (const length of lengths) console.log(name, offset, length, attempt(() => bytes()[name](offset, length)));
    }
  } else {
    const values = /Big/.test(name) ? [0n, -1n, 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, -(2n ** 63n), 1] :
      [0, -0, 1, -1, 127, 128, 255, 256, 65535, 65536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 48, -(2 ** 31) - 1, 1.5, NaN, Infinity, '7', undefined];
    for (const value of values) {
      const buffer = bytes();
      console.log(name, String(value), attempt(() => buffer[name](value, 2, takesLength ? 3 : undefined)), buffer.toString('hex'));
    }
    for (const offset of [undefined, 15, 16, -1, 0.5, '0']) {
      console.log(name, 'at', offset, attempt(() => bytes()[name](/Big/.test(name) ? 1n : 1, offset, takesLength ? 2 : undefined)));
    }
  }
}
