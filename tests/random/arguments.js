'use strict';
// util.parseArgs(), util.parseEnv(), MIMEType and util.styleText() with random arguments: results and errors.

const { MIMEType, inspect, parseArgs, parseEnv, styleText } = require('node:util');
const { Random } = require('./random.js');

const kWords = ['--', '-', '--a', '--b', '-a', '-b', '-ab', '-abc', '--a=1', '--b=', '--no-a', '--no-b', '-b=x', '-bx', 'word', '', '--unknown', '-z', '--c', '5', '-5', '---a', '--=', '--a=--b', '-a-'];
const kEnvPieces = ['A=1', 'B = two ', '# comment', 'C="quoted # text"', "D='single\n two'", 'E=`back`', 'export F=6', '\n', '\n\n', 'G', '=x', 'H=a#b', 'I=a #b', ' J=1', 'K="unclosed', 'L=\\n"\\n"', 'M="a\\nb"', '\r\n', 'N=${A}', 'O.p=1', 'A=again'];
const kMimePieces = ['text', '/', 'plain', ';', ' ', 'charset', '=', 'utf-8', '"', '\\', ',', 'application', 'x+y', '\t', '\u00e4', '()', 'a b'];

function joined(random, pieces, most, separator = '') {
  return Array.from({ length: random.below(most + 1) }, () => random.pick(pieces)).join(separator);
}

function optionsOf(random) {
  const options = {};
  for (const name of ['a', 'b', 'c']) {
    if (random.chance(20)) continue;
    options[name] = { type: random.pick(['boolean', 'string', 'string', random.chance(5) ? 'number' : 'boolean']) };
    if (random.chance(40)) options[name].short = random.pick(['a', 'b', 'c', random.chance(10) ? 'long' : 'z']);
    if (random.chance(25)) options[name].multiple = true;
    if (random.chance(20)) options[name].default = random.pick([true, 'text', ['x'], 5]);
  }
  return options;
}

function print(name, args, run) {
  let result;
  try {
    result = inspect(run(...args), { depth: 5, breakLength: Infinity });
  } catch (error) {
    result = `${error.name} ${error.code} ${error.message}`;
  }
  console.log(name, inspect(args, { depth: 5, breakLength: Infinity }), '->', result);
}

const kActions = [
  (random) => {
    const config = { args: Array.from({ length: random.below(6) }, () => random.pick(kWords)), options: optionsOf(random) };
    for (const name of ['strict', 'allowPositionals', 'allowNegative', 'tokens']) if (random.chance(50)) config[name] = random.chance(60);
    print('parseArgs', [config], parseArgs);
  },
  (random) => print('parseEnv', [joined(random, kEnvPieces, 6, random.chance(80) ? '\n' : '')], parseEnv),
  (random) => print('MIMEType', [`${random.chance(70) ? 'text/plain' : ''}${joined(random, kMimePieces, 8)}`], (text) => {
    const type = new MIMEType(text);
    if (random.chance(30)) type.params.set(random.pick(kMimePieces), random.pick(kMimePieces));
    if (random.chance(10)) type.subtype = random.pick(kMimePieces);
    return [String(type), type.essence, [...type.params]];
  }),
  (random) => print('styleText', [random.pick(['red', 'bold', ['bold', 'dim'], '#f00', '#123456', 'none', 'nope', ['underline', 'bgRed'], '#12', 5, []]),
    `${joined(random, ['a', '\u001b[39m', '\u001b[22m', '\u001b[1m', 'text', ''], 5)}`, { validateStream: false }], styleText),
];

process.removeAllListeners('warning');
const first = Number(process.argv[2]);
const count = Number(process.argv[3]);
for (let seed = first; seed < first + count; seed++) {
  console.log(`# seed ${seed}`);
  const random = new Random(seed);
  for (let i = 0; i < 20; i++) random.pick(kActions)(random);
}
