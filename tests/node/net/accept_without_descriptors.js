'use strict';
// A server that has no descriptors left turns connections away, serves those that it has, and takes new ones when there is
// room again. It has no listener for 'error'.
const net = require('net');
const path = require('path');
const { spawn } = require('child_process');

const child = spawn('sh', ['-c', 'ulimit -n 60; exec "$0" "$1"', process.execPath, path.join(__dirname, 'fixtures', 'full_server.js')],
  { stdio: ['pipe', 'pipe', 'inherit'] });
let heard = '';
child.stdout.setEncoding('utf8').on('data', (text) => { heard += text; });
child.on('exit', (code) => console.log('exit', code));

async function line() {
  while (!heard.includes('\n')) await new Promise((resolve) => { child.stdout.once('data', resolve); });
  const end = heard.indexOf('\n');
  const first = heard.slice(0, end);
  heard = heard.slice(end + 1);
  return first;
}

function ask(command) {
  child.stdin.write(`${command}\n`);
  return line();
}

// What a new client gets: an echo, or nothing.
function visit(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (data) => {
      text += data;
      socket.end();
    });
    socket.on('close', () => resolve(text || 'turned away'));
    socket.write('echo');
  });
}

(async () => {
  const port = Number(await line());
  const old = net.connect(port, '127.0.0.1');
  await new Promise((resolve) => { old.once('connect', resolve); });
  const echo = (text) => new Promise((resolve) => {
    old.once('data', (data) => resolve(String(data)));
    old.write(text);
  });
  console.log(await echo('before'));
  console.log(await visit(port));
  console.log(await ask('fill'));
  for (let i = 0; i < 3; i++) console.log(await visit(port));
  console.log((await Promise.all(Array.from({ length: 20 }, () => visit(port)))).join());
  console.log(await echo('while full'));
  console.log(await ask('free'));
  console.log(await visit(port));
  console.log(await visit(port));
  console.log(await echo('after'));
  old.end();
  child.stdin.end();
})();
