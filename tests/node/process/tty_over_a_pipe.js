// A stream of node:tty over a pipe works, as one over a terminal does. Files are refused.
'use strict';
const { spawn, spawnSync } = require('child_process');
const fs = require('fs');
const tty = require('tty');

if (process.argv[2] === 'child') {
  const input = new tty.ReadStream(0);
  const output = new tty.WriteStream(1);
  output.write(`${input.isTTY} ${output.isTTY} ${output.columns} ${output.rows}\n`);
  input.on('error', (error) => output.write(`${error.code} ${error.syscall}\n`));
  input.setRawMode(true);
  input.on('data', (data) => output.write(`data ${data}`));
  input.on('end', () => output.write('end\n'));
} else {
  const refused = (fd) => {
    try {
      new tty.ReadStream(fd);
      console.log('no error');
    } catch (error) {
      console.log(error.code, error.message, error.errno);
    }
  };
  refused(fs.openSync(__filename));
  refused(fs.openSync('/dev/null'));
  refused(fs.openSync('.'));
  refused(9999);
  refused(-1);
  refused(1.5);
  const { stdout, stderr } = spawnSync('sh', ['-c', 'echo one | "$0" "$@" | cat', process.execPath, __filename, 'child']);
  console.log(`${stdout}${stderr}`);
  const child = spawn(process.execPath, [__filename, 'child']);
  child.stdout.pipe(process.stdout);
  child.stdin.end('a socket or a pipe\n');
}
