// rondo-test: scratch
'use strict';
// --experimental-test-coverage with --enable-source-maps: sources instead of what was made of them, and maps that are no good.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');

// A line for each line, shifted by two.
const kDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digit = (number) => kDigits[number < 0 ? (-number << 1) | 1 : number << 1];
function mapOf(count, overrides) {
  const lines = Array.from({ length: count }, (_, i) => `AA${digit(i === 0 ? 0 : 1)}A,EAAE`);
  return { version: 3, sources: ['original.js'], names: [], mappings: `;;${lines.map((line) => line.replace('EAAE', 'CAAC')).join(';')}`, ...overrides };
}
const original = `exports.called = (x) => {
  if (x) {
    return 1;
  }
  return 2;
};
exports.notCalled = () => {
  return 3;
};
`;
const count = original.split('\n').length;

function generate(name, map) {
  fs.writeFileSync(`${name}.js`, `'use strict';\n// made\n${original}//# sourceMappingURL=${name}.js.map\n`);
  if (map !== undefined) fs.writeFileSync(`${name}.js.map`, typeof map === 'string' ? map : JSON.stringify(map));
}

fs.writeFileSync('original.js', original);
generate('good', mapOf(count));
generate('inside', mapOf(count, { sources: ['elsewhere.js'], sourcesContent: [original] }));
generate('damaged', 'not a map');
generate('missing');
generate('lost', mapOf(count, { sources: ['not_there.js'] }));

for (const name of ['good', 'inside', 'damaged', 'missing', 'lost']) {
  fs.writeFileSync(`${name}.test.js`, `require('node:test')('${name}', () => { require('./${name}.js').called(true); });\n`);
  for (const maps of [['--enable-source-maps'], []]) {
    const { status, stdout, stderr } = spawnSync(process.execPath,
      ['--test', '--experimental-test-coverage', '--test-reporter=tap', ...maps, `${name}.test.js`], { encoding: 'utf8' });
    console.log(name, maps.length, status, stderr);
    console.log(stdout.split('\n').filter((line) => line.includes('Warning')).join('\n').replaceAll(process.cwd(), '.'));
    console.log(stdout.slice(stdout.indexOf('# start of coverage')).replace(/^TAP[^]*/, 'none'));
  }
}
