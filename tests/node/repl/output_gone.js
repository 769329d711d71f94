// The REPL of the command line ends when its output is gone: the error of the write is not a command's.
const { spawn } = require('child_process');

for (const command of ['1\n', 'setImmediate(() => { throw new Error("later") })\n']) {
  const child = spawn(process.execPath, ['-i'], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {});
  child.stderr.resume();
  child.stdout.once('data', () => {
    child.stdout.destroy();
    setTimeout(() => child.stdin.write(command), 100);
  });
  child.on('close', (code, signal) => console.log(JSON.stringify(command), code, signal));
}
