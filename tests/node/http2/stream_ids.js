'use strict';
// setNextStreamID(), and the end of all ids.
const { attempt, close, collect, note, pair, show } = require('./fixtures/pair');

pair({}, (stream) => {
  note('server', stream.id);
  stream.respond();
  stream.end();
}, (client, server) => {
  client.on('connect', () => {
    for (const id of ['x', 0, -1, 2 ** 32, Infinity]) attempt(() => client.setNextStreamID(id));
    client.setNextStreamID(101);
    const request = client.request();
    note('client', request.id, client.state.nextStreamID);
    collect(request, () => {
      client.setNextStreamID(2 ** 31 - 1);
      collect(client.request(), ({ code }) => {
        note('client', 'last', code);
        const over = client.request();
        over.on('error', (error) => note('client', show(error)));
        over.on('close', () => close(client, server));
      });
    });
  });
});
