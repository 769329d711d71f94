// A response that was ended before the process exits is sent, also when the request that makes it exit came along with
// the one that it responds to.
const { fork } = require('node:child_process');
const { once } = require('node:events');
const http = require('node:http');
const net = require('node:net');

function serve() {
  http.createServer((request, response) => {
    response.sendDate = false;
    response.end(`bye ${request.url}`);
    if (request.url === '/exit') process.exit(3);
    if (request.url === '/throw') throw new Error('expected');
  }).listen(0, '127.0.0.1', function() {
    process.send(this.address().port);
  });
}

async function ask(url) {
  const child = fork(__filename, ['serve'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const exited = once(child, 'exit');
  const [port] = await once(child, 'message');
  const socket = net.connect(port, '127.0.0.1', () => {
    socket.write(`GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST ${url} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd`);
  });
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.on('close', resolve));
  const [code] = await exited;
  console.log(url, code, text);
}

async function main() {
  for (const url of ['/exit', '/throw']) await ask(url);
}

if (process.argv[2] === 'serve') serve();
else main();
