const { parseArgs } = require('util');
const options = { verbose: { type: 'boolean', short: 'v' }, name: { type: 'string', short: 'n', default: 'none' }, list: { type: 'string', multiple: true } };
console.log(parseArgs({ args: ['-v', '--list=a', '--list', 'b', 'pos', '--', '--x'], options, allowPositionals: true }));
console.log(parseArgs({ args: ['-vn', 'x'], options, tokens: true }).tokens);
for (const args of [['--unknown'], ['--name'], ['pos'], ['--verbose=x']]) {
  try {
    parseArgs({ args, options });
  } catch (e) {
    console.log(e.code, e.message);
  }
}
