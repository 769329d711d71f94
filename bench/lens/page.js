'use strict';
// What the page of the lens costs while it is open, as a share of a processor at 100,000
// callbacks a second:
//
//     build/rondo bench/lens/page.js [RUNS]

const { spawn } = require('child_process');
const net = require('net');

const kKinds = ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'];
const [runs = 3] = process.argv.slice(2);

// Looks as the page does.
function look(text) {
  const found = /http:\/\/([^:]+):(\d+)\/\?(token=\w+)/.exec(text);
  if (found === null) throw new Error(text);
  const [, host, port, token] = found;
  const socket = net.connect(Number(port), host, () => {
    socket.write(`GET /events?${token} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
  });
  socket.resume();
  socket.on('error', () => {}); // the program ends
}

function measure(kind, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...options, `${__dirname}/steady.js`, kind]);
    let out = '';
    child.stdout.on('data', (data) => { out += data; });
    child.stderr.once('data', (data) => look(`${data}`));
    child.on('close', (code) => (code === 0 ? resolve(Number(out)) : reject(new Error(`exit code ${code}`))));
  });
}

async function main() {
  for (const kind of kKinds) {
    const added = [];
    for (let i = 0; i < runs; i++) {
      const without = await measure(kind, []);
      added.push(await measure(kind, ['--lens=0']) - without);
    }
    console.log(kind.padEnd(16), added.map((each) => `${each.toFixed(2)} %`.padStart(8)).join(''));
  }
}

main();
