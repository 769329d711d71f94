'use strict';
// A thousand requests on one session, above and below the server's limit of streams at a time.
const { close, note, pair } = require('./fixtures/pair');

let open = 0;
let most = 0;
pair({ server: { settings: { maxConcurrentStreams: 20 } }, client: { peerMaxConcurrentStreams: 20 } }, (stream, headers) => {
  most = Math.max(most, ++open);
  stream.on('close', () => open--);
  setImmediate(() => {
    stream.respond({ 'x-n': headers['x-n'] });
    stream.end(`body ${headers['x-n']}`);
  });
}, (client, server) => {
  let left = 1000;
  let wrong = 0;
  for (let i = 0; i < 1000; i++) {
    const request = client.request({ 'x-n': i });
    let body = '';
    request.on('data', (chunk) => { body += chunk; });
    request.on('close', () => {
      if (body !== `body ${i}`) wrong++;
      if (--left > 0) return;
      note('all', 'wrong', wrong, 'most at a time', most <= 20);
      close(client, server);
    });
  }
});
