'use strict';
// A socket on a descriptor that another process has connected has addresses.
const net = require('net');
const path = require('path');
const { spawn } = require('child_process');

let exitCode;
let text = '';
const server = net.createServer({ pauseOnConnect: true }, (socket) => {
  const child = spawn(process.execPath, [path.join(__dirname, 'fixtures', 'adopted.js')],
    { stdio: ['ignore', 'inherit', 'inherit', socket._handle.fd] });
  child.on('spawn', () => socket.destroy());
  child.on('exit', (code) => {
    exitCode = code;
    server.close();
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.end('hello');
  client.setEncoding('utf8').on('data', (data) => { text += data; });
  client.on('close', (hadError) => process.on('exit', () => console.log(text, 'client closed', hadError, 'exit', exitCode)));
});
