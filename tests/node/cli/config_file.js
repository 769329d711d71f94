// rondo-test: scratch
// --experimental-config-file: options as JSON, and what is wrong with a file.
const { spawnSync } = require('child_process');
const fs = require('fs');

function run(text, args = ['-p', 'http.maxHeaderSize'], env = {}) {
  if (text !== undefined) fs.writeFileSync('node.config.json', text);
  const { stdout, stderr, status } = spawnSync(process.execPath, args[0].startsWith('--experimental') ? args :
    ['--experimental-config-file', ...args], { encoding: 'utf8', env: { ...process.env, ...env } });
  console.log(text, args.join(' '), status, stdout,
    stderr.replaceAll(process.execPath, '<node>').replaceAll(/\(node:\d+\)/g, '(node)').split('\n').slice(0, 2));
}
const options = (nodeOptions) => JSON.stringify({ nodeOptions });
run(undefined, ['--experimental-config-file=nowhere.json', '-p', '1']);
run(undefined, ['--experimental-default-config-file', '-p', '1']);
run(undefined, ['--experimental-config-file=', '-p', '1']);
run(undefined, ['--experimental-default-config-file=x', '-p', '1']);
run(options({ 'max-http-header-size': 10 }));
run(options({ 'max-http-header-size': 10 }), ['--experimental-default-config-file', '-p', 'http.maxHeaderSize']);
run(options({ 'max-http-header-size': 10, 'warnings': false }), ['--max-http-header-size=20', '-p', 'http.maxHeaderSize']);
run(options({ 'max-http-header-size': 10 }), ['--no-warnings', '-p', 'http.maxHeaderSize'], { NODE_OPTIONS: '--max-http-header-size=30' });
run(options({ title: 'n\u00e4\\u0041', warnings: false, conditions: ['a', 'b'] }), ['-p', '[process.title, process.execArgv]']);
for (const value of [-1, 1.5, '5', null, [5]]) run(options({ 'max-http-header-size': value }));
for (const key of ['unknown', 'test', 'r', '--warnings', 'no-warnings', 'http-parser', 'max-old-space-size', 'env-file']) run(options({ [key]: true }));
run(options({ title: 'two words' }));
run('{ "nodeOptions": { "warnings": false, "warnings": true } }');
run('{ "nodeOptions": 5 }');
run('{ "other": {} }');
run('{ "testRunner": {} }');
run('{ "test": { "warnings": true } }');
run('{ "permission": { "allow-fs-read": ["*"] }, "nodeOptions": { "warnings": false } }', ['-p', '[process.permission.has("fs.read"), process.permission.has("fs.write")]']);
for (const text of ['', '{', '[]', '5', '{ "nodeOptions": { "title": "x\n" } }']) run(text);
const major = Number(process.versions.node.split('.')[0]);
const config = { nodeOptions: { 'max-http-header-size': 40, 'warnings': false } };
for (const content of [{ nodeVersion: major, ...config }, { nodeVersion: major + 1 }, { nodeVersion: 'x' },
  { configs: [{ nodeVersion: major - 1, config: 5 }, { nodeVersion: major, config }] }, { configs: [] }, { configs: {} }, { configs: [5] },
  { configs: [{}] }, { configs: [{ nodeVersion: major }] }, { configs: [{ nodeVersion: major, config: 5 }] }, { configs: [], nodeOptions: {} },
  { configs: [{ nodeVersion: major, config: { configs: [] } }] }]) run(JSON.stringify(content));
