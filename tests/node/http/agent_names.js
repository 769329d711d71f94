// What Agent.prototype.getName() is replaced by names connections everywhere; inherited options do not count.
'use strict';
const http = require('http');
const { once } = require('events');

async function connectionsOf(agent, count) {
  let connections = 0;
  const server = http.createServer((request, response) => response.end()).on('connection', () => { connections++; }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const names = new Set();
  await Promise.all(Array.from({ length: count }, async () => {
    const request = http.get({ port, host: '127.0.0.1', agent });
    for (const name of Object.keys(agent.sockets)) names.add(name.replace(`${port}`, 'PORT'));
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
  }));
  agent.destroy();
  server.close();
  await once(server, 'close');
  return [connections, ...names];
}

(async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  console.log(await connectionsOf(agent, 5));

  const inherited = new http.Agent({ keepAlive: true, maxSockets: 1 });
  inherited.options = { __proto__: { host: 'nope.invalid', family: 6 }, keepAlive: true, path: null, noDelay: true };
  console.log(await connectionsOf(inherited, 3));

  const { getName } = http.Agent.prototype;
  http.Agent.prototype.getName = function(options) { return `mine/${getName.call(this, options)}`; };
  console.log(await connectionsOf(new http.Agent({ keepAlive: true, maxSockets: 1 }), 5));
})();
