// A process that has used up its descriptors gets errors from whatever needs one, and goes on.
const { execSync, spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');

if (process.argv[2] === undefined) {
  const command = 'ulimit -n 64 && exec "$0" "$@"';
  const { status, signal, stdout } =
    spawnSync('sh', ['-c', command, process.execPath, __filename, 'limited'], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.stdout.write(stdout);
  console.log('ended with', status, signal);
} else {
  limited();
}

function limited() {
  const connect = new net.Socket();
  process.stdout.write('');
  const hoard = [];
  const fill = () => {
    try {
      for (;;) hoard.push(fs.openSync('/dev/null'));
    } catch (error) {
      return error.code;
    }
  };
  const free = (count) => { for (const fd of hoard.splice(hoard.length - count)) fs.closeSync(fd); };

  console.log('openSync', fill());
  for (const count of [0, 1, 2, 3]) {
    free(count);
    console.log('spawnSync', count, spawnSync('true').error?.code);
    try {
      execSync('true');
    } catch (error) {
      console.log('execSync', count, error.code, error.message);
    }
    fill();
  }
  fs.readFile(__filename, (error) => {
    console.log('readFile', error.code);
    startMore();
  });

  function startMore() {
    const child = spawn('true');
    child.on('error', (error) => {
      console.log('spawn', error.code);
      connect.on('error', ({ code, syscall }) => {
        console.log('connect', code, syscall);
        const server = net.createServer();
        server.on('error', (problem) => {
          console.log('listen', problem.code, problem.syscall);
          free(30);
          console.log('spawnSync', spawnSync('true').status);
        });
        server.listen(0, '127.0.0.1');
      });
      connect.connect(1, '127.0.0.1');
    });
  }
}
