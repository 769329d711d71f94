// What can be wrong with a synchronous child's stdio: a channel, and a child that does not read its input.
const { execFileSync, execSync, spawnSync } = require('node:child_process');

function attempt(name, action) {
  try {
    console.log(name, action());
  } catch (error) {
    console.log(name, 'throws', error.name, error.code, error.message);
  }
}

attempt('ipc first', () => spawnSync('true', { stdio: ['ipc'] }));
attempt('ipc last', () => spawnSync('true', { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] }));
attempt('execSync', () => execSync('true', { stdio: [0, 'ipc'] }));
attempt('execFileSync', () => execFileSync('true', { stdio: ['ipc', 'ipc'] }));
attempt('a bad word before it', () => spawnSync('true', { stdio: ['foo', 'ipc'] }));
attempt('a bad word behind it', () => spawnSync('true', { stdio: ['ipc', 'foo'] }));
attempt('as a word', () => spawnSync('true', { stdio: 'ipc' }));

const input = Buffer.alloc(3_000_000);
const short = ({ error, status, signal, stdout }) => `${error?.message} ${error?.code} ${status} ${signal} ${stdout.length}`;
attempt('execSync does not read', () => execSync('exit 0', { input }).length);
attempt('spawnSync does not read', () => short(spawnSync('true', { input })));
attempt('it closes its input and goes on', () => short(spawnSync('sh', ['-c', 'exec <&-; echo hi'], { input })));
attempt('it fails', () => short(spawnSync('sh', ['-c', 'exit 3'], { input })));
attempt('it reads a part', () => short(spawnSync('head', ['-c', '100000'], { input })));
attempt('it reads all', () => short(spawnSync('cat', { input, maxBuffer: 4_000_000 })));
attempt('too much output comes first', () => spawnSync('sh', ['-c', 'cat; true'], { input }).error.code);

// The child is gone before the parent looks at its input, or not: without input that makes no difference.
const runs = Array.from({ length: 50 }, (_, i) => spawnSync('true', { input: i % 2 === 0 ? undefined : '' }));
console.log('errors without input', runs.filter(({ error }) => error !== undefined).length);
