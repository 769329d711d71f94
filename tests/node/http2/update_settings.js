'use strict';
// updateSettings() of a server counts for sessions to come; too many settings that are not acknowledged.
const { attempt, close, note, pair, http2, show } = require('./fixtures/pair');

pair({ server: { settings: { maxHeaderListSize: 1000 } } }, undefined, (client, server, url) => {
  attempt(() => server.updateSettings(5));
  attempt(() => server.updateSettings({ maxFrameSize: 1 }));
  client.on('remoteSettings', (settings) => {
    note('client', settings.maxHeaderListSize, settings.maxConcurrentStreams);
    server.updateSettings({ maxConcurrentStreams: 7 });
    const second = http2.connect(url);
    second.on('remoteSettings', (now) => {
      note('client', now.maxHeaderListSize, now.maxConcurrentStreams);
      second.close();
      close(client, server);
      tooMany();
    });
  });
});

function tooMany() {
  pair({ client: { maxOutstandingSettings: 2 } }, undefined, (client, server) => {
    client.on('connect', () => {
      client.settings({}, () => note('all', 'never'));
      client.settings({}, () => note('all', 'never'));
      note('all', client.pendingSettingsAck, client.destroyed);
      attempt(() => client.settings({}));
    });
    client.on('close', () => setTimeout(() => server.close(), 50));
  });
}
