// rondo-test: scratch
// What is wrong with a map is said when the first name is looked for.
const { spawnSync } = require('child_process');
const fs = require('fs');

function run(map, code = "require('a')") {
  fs.writeFileSync('map.json', typeof map === 'string' ? map : JSON.stringify(map));
  const args = ['--no-warnings', '--experimental-package-map=map.json', '-e', code];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const lines = stderr.split('\n').filter((line) => /^\w*Error|code: /.test(line));
  console.log(status, stdout.trim(), lines.join('\n').replaceAll(fs.realpathSync('.'), ''));
}

run('{');
run({});
run({ packages: 7 });
run({ packages: { a: {} } });
run({ packages: { a: { url: 7 } } });
run({ packages: { a: { url: '' } } });
run({ packages: { a: { url: 'http://[' } } });
run({ packages: { a: { url: 'https://example.com/a' } } });
run({ packages: { a: { url: 'file:///a%2Fb' } } });
run({ packages: { a: { url: './x' }, b: { url: './x' } } });
run({ packages: { a: { url: './elsewhere' } } });
run({ packages: { me: { url: '.', dependencies: { a: 'b' } } } });
run({ packages: { me: { url: '.' } } });
run('{', "try { require('a') } catch (e) { console.log(e.code) } try { require('a') } catch (e) { console.log(e.code) }");
run('{', "console.log(require('fs') === process.getBuiltinModule('fs'))");
const { stderr } = spawnSync(process.execPath, ['--experimental-package-map=none.json', '-e', "require('a')"], { encoding: 'utf8' });
console.log(stderr.split('\n').filter((line) => /Error|Warning|code:/.test(line)).join('\n').replaceAll(fs.realpathSync('.'), '').replace(/\d+/, 'pid'));
