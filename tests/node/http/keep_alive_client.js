'use strict';
// An agent uses its connection again, for requests one after the other and for those that wait.
const http = require('http');

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const ports = new Set();
const server = http.createServer((req, res) => {
  ports.add(req.socket.remotePort);
  res.end(req.url);
});
server.listen(0, () => {
  const { port } = server.address();
  let left = 4;
  for (const path of ['/1', '/2', '/3', '/4']) {
    const req = http.get({ port, path, agent }, (res) => {
      res.setEncoding('utf8');
      res.on('data', (text) => console.log(text, req.reusedSocket));
      res.on('end', () => {
        if (--left > 0) return;
        console.log('connections', ports.size);
        setImmediate(() => {
          console.log(Object.keys(agent.freeSockets).length, agent.totalSocketCount);
          agent.destroy();
          server.close(() => console.log('closed'));
        });
      });
    });
  }
  console.log(Object.values(agent.requests)[0].length);
});
