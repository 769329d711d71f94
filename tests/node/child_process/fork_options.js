// execArgv, silent, env and cwd of fork(); 'ipc' of spawn().
const { fork, spawn } = require('node:child_process');
if (process.argv[2] === undefined) {
  const silent = fork(__filename, ['silent'], { silent: true, env: { ...process.env, A: 'b' }, cwd: '/' });
  silent.stdout.setEncoding('utf8');
  silent.stdout.on('data', (text) => console.log('stdout:', text.trim()));
  silent.on('close', (code) => {
    console.log('close', code);
    const spawned = spawn(process.execPath, [__filename, 'spawned'], { stdio: ['ignore', 'inherit', 'inherit', 'ignore', 'ipc'] });
    spawned.on('message', (message) => console.log(message));
    spawned.on('close', (last) => console.log('close', last, spawned.stdio.length));
  });
} else if (process.argv[2] === 'silent') {
  console.log(process.env.A, process.cwd(), process.execArgv, process.connected);
} else {
  process.send(['from', process.argv[2], process.channel.fd]);
}
