// Requests that arrive together: their responses leave in order and whole, whatever they are made of, and with 'finish'
// and 'close' in Node's order.
const http = require('node:http');
const net = require('node:net');

const events = [];
const answers = {
  '/text': (response) => response.end('text'),
  '/utf8': (response) => response.end('\u00fc\u4e2d'),
  '/latin1': (response) => response.end('\u00fc', 'latin1'),
  '/bytes': (response) => response.end(Buffer.from('bytes')),
  '/empty': (response) => response.end(),
  '/chunks': (response) => {
    response.write('one');
    response.end(Buffer.from('two'));
  },
  '/called': (response) => response.end('called', () => events.push('callback')),
  '/late': (response) => setImmediate(() => response.end('late')),
  '/head': (response) => response.writeHead(201, { 'X-A': 'b' }).end('head'),
};

const server = http.createServer((request, response) => {
  response.on('finish', () => events.push(`finish ${request.url}`));
  response.on('close', () => events.push(`close ${request.url}`));
  response.sendDate = false;
  answers[request.url](response);
});

server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  const urls = Object.keys(answers);
  const requests = [...urls, '/text'].map((url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`);
  requests.push('HEAD /text HTTP/1.1\r\nHost: a\r\n\r\n');
  requests.push('POST /bytes HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc');
  socket.write(requests.join(''));
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('close', () => {
    console.log(text);
    console.log(events);
    server.close();
  });
});
