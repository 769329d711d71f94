// The REPL of the command line ends when its output is gone: no command has written the prompt that fails.
const { spawn } = require('child_process');

const child = spawn(process.execPath, ['-i'], { stdio: 'pipe' });
child.stdout.destroy();
child.stderr.resume();
child.on('close', (code, signal) => console.log(code, signal));
