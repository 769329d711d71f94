// rondo-test: option=--permission option=--allow-fs-read=*
// What else takes a permission; process.permission, which can also give one up.
const { channel } = require('diagnostics_channel');
const attempt = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.code, error.permission, error.resource, error.message);
  }
};
for (const scope of ['fs', 'child', 'worker', 'net']) {
  channel(`node:permission-model:${scope}`).subscribe((message) => console.log('denied', message));
}
attempt('spawn', () => require('child_process').spawn('none'));
attempt('spawnSync', () => require('child_process').spawnSync('none'));
attempt('execve', () => process.execve('/none', [], {}));
attempt('worker', () => new (require('worker_threads').Worker)('1', { eval: true }));
attempt('listen', () => require('net').createServer().listen(0));
attempt('listen on a path', () => require('net').createServer().listen('/none'));
attempt('binding', () => process.binding('os'));
attempt('dlopen', () => process.dlopen({}, 'none'));
attempt('symlink', () => require('fs').symlinkSync('/none', '/none2'));
require('net').connect(1, '127.0.0.1').on('error', ({ message, code, address, port }) =>
  console.log('connect', message, code, address, port));
require('dns').lookup('none.invalid', (error) => console.log('lookup', error.message, error.code));
require('dns').resolve('none.invalid', (error) => console.log('resolve', error.message, error.code));
require('dgram').createSocket('udp4').on('error', ({ message, code }) => console.log('bind', message, code)).bind(0);
const { permission } = process;
console.log(permission, Object.isFrozen(require('path')));
console.log(permission.has('fs'), permission.has('fs.read'), permission.has('fs.read', '/none'), permission.has('x'));
console.log(permission.has('fs.write', '/none'), permission.has('fs.read', ''), permission.has('child'));
attempt('has', () => permission.has(1));
attempt('drop', () => permission.drop('fs.read', 1));
permission.drop('fs.read', '/none'); // of everything no part can be given up
console.log(permission.has('fs.read', '/none'));
permission.drop('fs.read');
console.log(permission.has('fs.read', '/none'), permission.has('fs.read', __filename));
