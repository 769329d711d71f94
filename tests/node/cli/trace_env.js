// Accesses to the variables of the environment, as --trace-env shows them.
const { spawnSync } = require('child_process');

const program = `
  process._rawDebug('begin');
  process.env.FIRST; process.env.NONE; process.env.NEW = 1;
  'NEW' in process.env; Object.hasOwn(process.env, 'NONE'); delete process.env.NEW;
  process.env[1]; process.env[Symbol.iterator]; process.env.toString; Object.keys(process.env); ({ ...process.env });
  Object.defineProperty(process.env, 'NEW', { value: '1', writable: true, enumerable: true, configurable: true });
  process._rawDebug('end');`;
function run(option) {
  const { stderr } = spawnSync(process.execPath, [option, '-e', program], { env: { FIRST: '1' }, encoding: 'utf8' });
  return stderr.slice(stderr.indexOf('begin'), stderr.indexOf('end'));
}
console.log(run('--trace-env'));
const accesses = run('--trace-env-js-stack').split('[--trace-env] ').slice(1, 4);
for (const access of accesses) console.log(access.split('\n').slice(0, 4));
