// rondo-test: option=--experimental-eventsource
'use strict';
// EventSource: names, ids, comments, several lines, and reconnecting with the last id.
const http = require('http');

let visits = 0;
const server = http.createServer((request, response) => {
  visits++;
  console.log('visit', visits, request.headers.accept, request.headers['last-event-id']);
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  if (visits === 1) {
    response.write('retry: 20\n\n: a comment\ndata: one\n\nid: 7\nevent: named\ndata: a\ndata: b\n\ndata:no space\r\n\r\n');
    response.end('data: not ended');
  } else {
    response.write('data: again\n\n');
  }
});
server.listen(0, '127.0.0.1', () => {
  const source = new EventSource(`http://127.0.0.1:${server.address().port}/`);
  source.onopen = () => console.log('open', source.readyState);
  source.onerror = ({ type }) => console.log(type, source.readyState);
  source.addEventListener('named', ({ data, lastEventId }) => console.log('named', JSON.stringify(data), lastEventId));
  source.onmessage = ({ data, lastEventId }) => {
    console.log('message', data, lastEventId);
    if (data !== 'again') return;
    source.close();
    console.log(source.readyState);
    server.closeAllConnections();
    server.close();
  };
});
