// What the methods that read and write numbers do with odd arguments: which one they complain of first, and how.
// A line for each method, with a sum over all calls. With a method's name as argument, all its calls are printed.
const only = process.argv[2];
const odd = [
  undefined, null, true, '', 'a', '1', 0, -1, 1, 1.5, NaN, Infinity, -Infinity, 255, 256, -129, 2 ** 31, 2 ** 32, 2 ** 53,
  -(2 ** 47) - 1, 2 ** 48, {}, [], 5n, -1n, 2n ** 64n, Symbol('s'), 6, 7, 8, 9, -9, new Uint8Array(2), Buffer.from('b'),
];
const lengths = [undefined, null, 'a', '2', 0, -1, 1, 1.5, 2, 3, 4, 5, 6, 7, NaN, Infinity, {}, 5n];
// For calls with three of them.
const few = [undefined, null, '1', -1, 0, 1, 7, 1.5, NaN, 2 ** 48, {}, 5n, Symbol('s')];
const widths = [
  'Int8', 'UInt8', 'Int16LE', 'Int16BE', 'UInt16LE', 'UInt16BE', 'Int32LE', 'Int32BE', 'UInt32LE', 'UInt32BE',
  'FloatLE', 'FloatBE', 'DoubleLE', 'DoubleBE', 'BigInt64LE', 'BigInt64BE', 'BigUInt64LE', 'BigUInt64BE',
];

function show(value) {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'object' && value !== null) return `${value.constructor.name}[${Array.prototype.join.call(value)}]`;
  return Object.is(value, -0) ? '-0' : String(value);
}

function call(method, args) {
  const buffer = Buffer.alloc(8, 1);
  let result;
  try {
    result = `${show(buffer[method](...args))} ${buffer.toString('hex')}`;
  } catch (error) {
    result = `${error.name} ${error.code} ${error.message}`;
  }
  return `${method}(${args.map(show).join(', ')}): ${result}\n`;
}

function report(method, ...choices) {
  let all = [[]];
  const calls = [[]];
  for (const choice of choices) {
    all = all.flatMap((before) => choice.map((value) => [...before, value]));
    calls.push(...all);
  }
  let sum = 0;
  for (const args of calls) {
    const line = call(method, args);
    if (method === only) process.stdout.write(line);
    for (let i = 0; i < line.length; i++) sum = Math.imul(sum ^ line.charCodeAt(i), 16777619) >>> 0;
  }
  console.log(method, calls.length, sum.toString(16));
}

for (const width of widths) {
  report(`read${width}`, odd);
  report(`write${width}`, odd, odd);
}
for (const width of ['IntLE', 'IntBE', 'UIntLE', 'UIntBE']) {
  report(`read${width}`, odd, odd);
  report(`write${width}`, few, few, lengths);
}
