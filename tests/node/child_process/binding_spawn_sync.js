// nyc replaces spawn() of this binding to see every child.
'use strict';
const { execFileSync, spawnSync } = require('node:child_process');

const spawnBinding = process.binding('spawn_sync');
console.log(Object.keys(spawnBinding));
const { spawn } = spawnBinding;
spawnBinding.spawn = function(options) {
  console.log(options.file, options.args, options.envPairs, options.stdio.map(({ type }) => type), options.stdio[0].input);
  options.envPairs = ['WHO=another'];
  const result = Reflect.apply(spawn, this, [options]);
  console.log(Object.keys(result), result.status, result.error);
  return result;
};
console.log(execFileSync('sh', ['-c', 'cat; echo $WHO'], { env: { WHO: 'me' }, input: 'text\n', encoding: 'utf8' }));
console.log(spawnSync('/nowhere', ['x'], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] }).error.code);
