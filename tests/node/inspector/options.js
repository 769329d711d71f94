// rondo-test: option=--no-warnings
// The options of debuggers: what is refused, and what is taken.
'use strict';
const { spawnSync } = require('child_process');

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const errors = stderr.replace(/ws:\S+/g, 'URL').replaceAll(process.execPath, 'node');
  console.log(args.slice(0, -2).join(' '), status, JSON.stringify(stdout), JSON.stringify(errors));
}

const show = 'console.log(process.execArgv[0], typeof require("inspector").url(), process.debugPort === 9229)';
for (const options of [
  ['--inspect=0'], ['--inspect=127.0.0.1:0'], ['--inspect-port=0'], ['--inspect-port=0', '--inspect'], ['--debug-port=0'],
  ['--inspect=0', '--inspect-publish-uid=http'], ['--inspect=0', '--inspect-publish-uid=stderr,http'],
  ['--inspect=0', '--no-inspect'], ['--disable-sigusr1'],
  ['--inspect=99'], ['--inspect=70000'], ['--inspect=host:x'], ['--inspect='], ['--inspect-publish-uid=nowhere'],
  ['--debug'], ['--debug-brk=5858'],
]) run(...options, '-e', show);
