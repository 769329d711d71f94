'use strict';
// A client resets or ends its connection at each stage of a request: the events of the server's objects.
const http = require('http');
const net = require('net');

const kLength = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc';
const kStages = {
  'no body': 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'part of a body': kLength,
  'part of a chunk': 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
  'a whole body': `${kLength}defghij`,
  'two requests': 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n',
};

const kHandlers = {
  'no answer': (request) => request.resume(),
  'part of an answer': (request, response) => {
    request.resume();
    response.write('part');
  },
  'a whole answer': (request, response) => response.end('early'),
  'an answer afterwards': (request, response) => {
    request.socket.on('close', () => {
      response.end('late');
    });
  },
  'an unread request': () => {},
};

const kWays = {
  reset: (socket) => socket.resetAndDestroy(),
  end: (socket) => socket.end(),
};

function state(request, response) {
  return `${request.complete} ${request.destroyed} ${request.aborted} ${response.writableEnded} ${response.writableFinished}`;
}

// The loop polls between steps: what has happened by then is reported before, also on a busy machine.
function later(callback, steps = 10) {
  setTimeout(() => { (steps === 0 ? callback() : later(callback, steps - 1)); }, 1);
}

function run(bytes, handle, leave) {
  return new Promise((resolve) => {
    const log = [];
    const server = http.createServer((request, response) => {
      const note = (words) => log.push(`${request.url} ${words}: ${state(request, response)}`);
      note('request');
      for (const event of ['aborted', 'end', 'error', 'close']) request.on(event, (error) => note(`request ${event} ${error?.code}`));
      for (const event of ['finish', 'error', 'close']) response.on(event, (error) => note(`response ${event} ${error?.code}`));
      handle(request, response);
      later(() => leave(client));
    });
    server.on('clientError', (error, socket) => {
      log.push(`clientError ${error.code} ${socket.writable}`);
      socket.destroy();
    });
    server.on('connection', (socket) => {
      socket.on('end', () => log.push('end of the socket'));
      socket.on('close', (hadError) => {
        log.push(`close of the socket ${hadError}`);
        later(() => server.close(() => resolve(log)));
      });
    });
    let client;
    server.listen(0, '127.0.0.1', () => {
      client = net.connect(server.address().port, '127.0.0.1', () => client.write(bytes));
      client.on('error', () => {});
      client.on('end', () => client.destroy());
      client.resume();
      // What stays open although the client has ended.
      client.on('finish', () => later(() => server.closeAllConnections(), 40));
    });
  });
}

(async () => {
  const names = [];
  for (const stage of Object.keys(kStages)) {
    for (const handler of Object.keys(kHandlers)) {
      for (const way of Object.keys(kWays)) names.push([stage, handler, way]);
    }
  }
  const logs = await Promise.all(names.map(([stage, handler, way]) => run(kStages[stage], kHandlers[handler], kWays[way])));
  names.forEach((name, i) => console.log(`${name.join(', ')}\n  ${logs[i].join('\n  ')}`));
})();
