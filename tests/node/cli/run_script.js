// rondo-test: scratch
// --run: scripts of package.json.
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

fs.mkdirSync('sub/deep/node_modules/.bin', { recursive: true });
fs.mkdirSync('broken');
fs.mkdirSync('empty');
fs.mkdirSync('list');
fs.writeFileSync('package.json', JSON.stringify({ scripts: {
  greet: 'echo hello', args: 'printf "<%s>"', where: 'pwd', fail: 'exit 7', odd: 5, quoted: 'echo "$NODE_RUN_SCRIPT_NAME"',
  file: 'echo $NODE_RUN_PACKAGE_JSON_PATH', tool: 'tool',
} }));
fs.writeFileSync('broken/package.json', '{');
fs.writeFileSync('empty/package.json', '{}');
fs.writeFileSync('list/package.json', '{ "scripts": [] }');
fs.writeFileSync('sub/deep/node_modules/.bin/tool', '#!/bin/sh\necho tool');
fs.chmodSync('sub/deep/node_modules/.bin/tool', 0o755);
const root = process.cwd();
function run(args, cwd = '.') {
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  console.log(args.join(' '), cwd, JSON.stringify([stdout, stderr].map((text) => text.replaceAll(root, '.'))), status, signal);
}
run(['--run', 'greet']);
run(['--run', 'greet'], 'sub/deep');
run(['--run', 'where'], 'sub/deep');
run(['--run', 'tool'], 'sub/deep');
run(['--run=args', '--', 'one', 'two words', "it's", '', '$HOME', '--flag']);
run(['--run', 'fail']);
run(['--run', 'quoted']);
run(['--run', 'none'], 'sub');
run(['--run', 'file'], 'sub');
run(['--run', 'odd']);
run(['--run', 'greet'], 'broken');
run(['--run', 'greet'], 'empty');
run(['--run', 'greet'], 'list');
run(['--no-warnings', '--run', 'greet']);
run(['--run', 'greet', '--no-warnings']);
