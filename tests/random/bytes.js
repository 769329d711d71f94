'use strict';
// The methods of Buffer, StringDecoder, TextDecoder, atob() and btoa(), with right and wrong arguments: results, bytes, errors.

const { transcode, isAscii, isUtf8 } = require('node:buffer');
const { StringDecoder } = require('node:string_decoder');
const { Random } = require('./random.js');

const kEncodings = ['utf8', 'UTF-8', 'utf16le', 'ucs2', 'latin1', 'binary', 'ascii', 'base64', 'base64url', 'hex', 'HEX', undefined];
const kWrong = [null, '', 'nope', NaN, Infinity, -1, 1.5, '2', {}, [], true, 2 ** 32, -(2 ** 40), 5n, () => {}];
const kTexts = ['', 'a', 'abc', 'abcabcabc', '\u00e4\u00f6', '\u20ac\u{1f600}', '\ud800', 'x\udc00y', 'ff00', 'fF0', 'zz', 'AQID', 'AQI=', 'AQI', 'A-_/+', ' A Q\nI D', '====',
  '\0\x01', 'b', 'bc', 'c\0', '\u0161', 'aaaaaaaaaaaaaaaaaaaaaaaa', '%', 'a\u0300'];

function text(random) {
  let out = '';
  for (let left = random.below(4); left >= 0; left--) out += random.pick(kTexts);
  return out;
}

function number(random) {
  return random.pick([0, 1, 2, 3, 5, 8, 13, 100, -1, -2, -5, -100, 127, 128, 255, 256, 65535, -32768, 2 ** 31, 2 ** 32 - 1, 1.5, -0.5, random.below(20)]);
}

function position(random) {
  if (random.chance(6)) return random.pick(kWrong);
  return random.chance(20) ? undefined : random.pick([0, 1, 2, 3, 4, 7, random.below(12), -1, -3]);
}

function bytes(random) {
  switch (random.below(4)) {
    case 0: return Buffer.from(text(random), random.pick(kEncodings));
    case 1: return Buffer.from(Array.from({ length: random.below(24) }, () => random.pick([97, 98, 99, random.below(256)])));
    case 2: return Buffer.from(text(random).repeat(random.below(3)), 'utf16le');
    default: return Buffer.from(Buffer.from(text(random)).subarray(random.below(3))); // aligned: else real Node overlooks UTF-16
  }
}

// One that Buffer's methods take, though it is not a Buffer.
function view(random) {
  const source = bytes(random);
  return random.chance(80) ? source : Uint8Array.from(source);
}

function shown(value) {
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} ${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  if (typeof value === 'function') return 'function';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return JSON.stringify(value) ?? 'undefined';
}

function print(name, target, args, run) {
  const before = args.map(shown).join(', ');
  let result;
  try {
    result = shown(run());
  } catch (error) {
    result = `${error.name} ${error.code} ${error.message}`;
  }
  console.log(name, `(${before})`, '->', result, target === undefined ? '' : shown(target));
}

function call(name, target, args) {
  print(name, target, args, () => Reflect.apply(Buffer.prototype[name], target, args));
}

const kReads = Object.keys(Buffer.prototype).filter((name) => name.startsWith('read'));
const kWrites = Object.keys(Buffer.prototype).filter((name) => /^write[A-Z]/.test(name));
const kSlices = Object.keys(Buffer.prototype).filter((name) => name.endsWith('Slice'));
const kStringWrites = Object.keys(Buffer.prototype).filter((name) => /^[a-z0-9]+Write$/.test(name));

function searched(random) {
  return random.chance(5) ? random.pick(kWrong) : random.pick([text(random), random.pick(kTexts), random.below(300), number(random), bytes(random),
    Uint8Array.from(bytes(random))]);
}

const kActions = [
  (random) => {
    const args = [searched(random)];
    if (random.chance(70)) args.push(random.chance(10) ? random.pick(kEncodings) : position(random));
    // An end that is no number ends real Node's process.
    if (args.length === 2 && random.chance(50)) args.push(random.pick([random.below(12), -1, 100, 2.5, undefined, random.pick(kEncodings)]));
    if (args.length === 3 && random.chance(50)) args.push(random.pick(kEncodings));
    call(random.pick(['indexOf', 'lastIndexOf', 'includes']), view(random), args);
  },
  (random) => call('toString', bytes(random), [random.chance(90) ? random.pick(kEncodings) : random.pick(kWrong), position(random), position(random)]),
  (random) => call(random.pick(kSlices), bytes(random), [random.below(6), random.pick([undefined, random.below(12)])]),
  (random) => call(random.pick(kStringWrites), Buffer.alloc(random.below(12)), [text(random), random.pick([undefined, random.below(6)]), random.pick([undefined, random.below(6)])]),
  (random) => call('write', Buffer.alloc(random.below(16)), [random.chance(95) ? text(random) : random.pick(kWrong), ...[position(random), position(random), random.pick(kEncodings)]
    .slice(random.below(3))]),
  (random) => call('fill', Buffer.alloc(random.below(14)), [searched(random), position(random), position(random), random.pick(kEncodings)].slice(0, 1 + random.below(4))),
  (random) => call(random.pick(kReads), view(random), [position(random), 1 + random.below(7)]),
  (random) => {
    const name = random.pick(kWrites);
    const value = random.chance(10) ? random.pick(kWrong) : number(random);
    call(name, Buffer.alloc(random.below(14)), [/Big/.test(name) && Number.isInteger(value) ? BigInt(value) : value, position(random), 1 + random.below(7)]);
  },
  (random) => {
    const target = Buffer.alloc(8);
    print('copy', target, [], () => bytes(random).copy(random.chance(90) ? target : random.pick(kWrong), position(random), position(random), position(random)));
  },
  (random) => call('compare', bytes(random), [view(random), position(random), position(random), position(random), position(random)].slice(0, 1 + random.below(5))),
  (random) => call('equals', bytes(random), [random.chance(90) ? view(random) : random.pick(kWrong)]),
  (random) => call(random.pick(['swap16', 'swap32', 'swap64', 'toJSON']), bytes(random), []),
  (random) => call(random.pick(['subarray', 'slice']), bytes(random), [position(random), position(random)]),
  (random) => {
    const args = random.chance(80) ? [text(random), random.pick(kEncodings)] : [random.pick([null, NaN, '', true, {}, [], { length: 2, 0: 7 }, [1, 300, -1, '4'], new String('ab'),
      { type: 'Buffer', data: [1, 2] }, new Uint16Array([1, 256])]), position(random), position(random)];
    print('Buffer.from', undefined, args, () => Buffer.from(...args));
  },
  (random) => {
    const args = [random.chance(80) ? text(random) : random.pick(kWrong), random.chance(90) ? random.pick(kEncodings) : random.pick(kWrong)];
    print('Buffer.byteLength', undefined, args, () => Buffer.byteLength(...args));
  },
  (random) => {
    const size = random.chance(90) ? random.below(20) : random.pick(kWrong);
    const args = [size > 1000 ? -1 : size, searched(random), random.pick(kEncodings)];
    print('Buffer.alloc', undefined, args, () => Buffer.alloc(...args));
  },
  (random) => {
    const list = Array.from({ length: random.below(4) }, () => (random.chance(95) ? view(random) : random.pick(kWrong)));
    print('Buffer.concat', undefined, [], () => Buffer.concat(list, random.chance(50) ? undefined : random.pick([0, 3, 20, -1, '2'])));
  },
  (random) => {
    const args = [bytes(random), ...[random.pick(kEncodings), random.pick(kEncodings)].map((name) => name ?? 'utf8')];
    print('transcode', undefined, args, () => transcode(...args));
  },
  (random) => {
    const input = view(random);
    print('isAscii isUtf8', undefined, [input], () => [isAscii(input), isUtf8(input)]);
  },
  (random) => {
    const name = random.pick(kEncodings);
    const decoder = new StringDecoder(name);
    const chunks = [bytes(random), bytes(random), view(random)];
    print(`StringDecoder ${name}`, undefined, chunks, () => [...chunks.map((chunk) => decoder.write(chunk)), decoder.lastNeed, decoder.lastTotal, decoder.end()]);
  },
  (random) => {
    const args = [random.chance(90) ? text(random) : random.pick(kWrong)];
    print('atob', undefined, args, () => atob(...args));
    print('btoa', undefined, args, () => btoa(...args));
  },
  (random) => {
    const input = bytes(random);
    const size = random.below(10);
    const target = new Uint8Array(size);
    // Real Node leaves out a character that just fits when there are 32 or more.
    print('encodeInto', target, [input], () => new TextEncoder().encodeInto(input.toString('utf16le').slice(0, 31), target));
    print('TextDecoder', undefined, [input], () => new TextDecoder(random.pick(['utf-8', 'utf-16le', 'latin1']), { fatal: random.chance(40) }).decode(input));
  },
];

process.removeAllListeners('warning');
const first = Number(process.argv[2]);
const count = Number(process.argv[3]);
for (let seed = first; seed < first + count; seed++) {
  console.log(`# seed ${seed}`);
  const random = new Random(seed);
  for (let i = 0; i < 30; i++) random.pick(kActions)(random);
}
