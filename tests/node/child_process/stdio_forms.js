// Forms of the option stdio.
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const show = (child) => console.log(child.stdio.map((stream) => (stream === null ? null : stream.constructor.name)));
for (const stdio of ['pipe', 'ignore', ['pipe', 'ignore', 'pipe', 'pipe'], [null, undefined, 'ignore'], ['ignore', fs.openSync('/dev/null', 'w'), 2]]) {
  show(spawn('true', { stdio }));
}
for (const stdio of ['other', 5, ['pipe', 'what'], [{}], ['ipc', 'ipc']]) {
  try {
    spawn('true', { stdio });
  } catch (error) {
    console.log(error.code, error.message);
  }
}
const child = spawn('sh', ['-c', 'cat <&3 >&4'], { stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'] });
child.stdio[4].setEncoding('utf8').on('data', (text) => console.log('from 4:', text));
child.stdio[3].end('to 3');
console.log(spawnSync('cat', { input: 'input', stdio: ['pipe', 'pipe', 'ignore'] }).stdout.toString());
