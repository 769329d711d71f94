'use strict';
// The events of a request and its response, on both sides.
const http = require('http');

function follow(name, emitter, events) {
  for (const event of events) emitter.on(event, () => console.log(name, event));
}
const server = http.createServer((req, res) => {
  follow('server req', req, ['end', 'close', 'aborted', 'error']);
  follow('server res', res, ['prefinish', 'finish', 'close']);
  console.log('complete', req.complete);
  req.resume();
  req.on('end', () => {
    console.log('complete', req.complete);
    res.end('ok');
  });
});
server.listen(0, () => {
  const req = http.request({ port: server.address().port, method: 'POST', agent: false });
  follow('client req', req, ['socket', 'finish', 'close', 'abort', 'error']);
  req.on('response', (res) => {
    follow('client res', res, ['end', 'close', 'aborted']);
    res.resume();
    res.on('close', () => server.close(() => console.log('server closed')));
  });
  req.end('body');
});
