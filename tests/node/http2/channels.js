'use strict';
// Diagnostics channels of streams.
const { subscribe } = require('diagnostics_channel');
const { collect, note, pair } = require('./fixtures/pair');

// Per stream: in which order two streams get on is not fixed.
const told = {};
const tell = (side, stream, ...words) => {
  (told[`${side} ${stream.id}`] ??= []).push(words.join(' '));
};
process.on('exit', () => {
  for (const key of Object.keys(told).sort()) note('all', key, told[key]);
});

for (const side of ['client', 'server']) {
  for (const event of ['created', 'start', 'finish', 'close', 'error']) {
    subscribe(`http2.${side}.stream.${event}`, (message, name) => {
      tell(side, message.stream, name.split('.').at(-1), Object.keys(message));
    });
  }
}
for (const event of ['bodyChunkSent', 'bodySent']) {
  subscribe(`http2.client.stream.${event}`, (message) => {
    tell('client', message.stream, event, Object.keys(message), message.writev, message.encoding);
  });
}
pair({}, (stream) => {
  stream.on('error', () => {});
  stream.pushStream({ ':path': '/p' }, (error, pushed) => {
    pushed.respond();
    pushed.end();
  });
  stream.respond();
  stream.resume();
  stream.on('end', () => stream.end('x'));
}, (client, server) => {
  client.on('stream', (pushed) => pushed.resume());
  const request = client.request({ ':method': 'POST' });
  request.write('chunk');
  setTimeout(() => request.end(), 20);
  collect(request, () => {
    const second = client.request({ ':method': 'POST' });
    second.on('error', () => {});
    setTimeout(() => second.destroy(new Error('x')), 20);
    second.on('close', () => setTimeout(() => {
      client.destroy();
      server.close();
    }, 30));
  });
});
