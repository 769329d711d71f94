// The names of the signals that end a child. SIGIO is also SIGPOLL, and is called by its first name.
const { spawn, spawnSync } = require('node:child_process');
const { constants: { signals } } = require('node:os');

const stopping = ['SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH'];
for (const [name, number] of Object.entries(signals)) {
  if (stopping.includes(name)) continue;
  const { signal } = spawnSync('sh', ['-c', `ulimit -c 0; kill -${number} $$`]);
  console.log(name, number, signal);
}
console.log(spawnSync('sleep', ['60'], { timeout: 20, killSignal: 'SIGPOLL' }).signal);
console.log(spawnSync('sleep', ['60'], { timeout: 20, killSignal: 29 }).signal);

const child = spawn('sleep', ['60']);
child.on('exit', (code, signal) => {
  console.log('exit', code, signal);
  process.on('SIGIO', (name, number) => {
    console.log('received', name, number);
    clearInterval(alive);
  });
  const alive = setInterval(() => {}, 1000);
  process.kill(process.pid, 29);
});
child.kill('SIGPOLL');
