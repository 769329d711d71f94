'use strict';
// Settings of both sides: what is in force when, acknowledgements, custom settings, limits.
const { attempt, close, note, pair } = require('./fixtures/pair');

const server = pair({
  server: { settings: { maxConcurrentStreams: 50, customSettings: { 1234: 5 } }, remoteCustomSettings: [77] },
  client: { settings: { initialWindowSize: 1000, customSettings: { 77: 6, 78: 7 } }, remoteCustomSettings: [1234] },
}, undefined, (client) => {
  note('client', 'before', client.localSettings, client.remoteSettings, client.pendingSettingsAck);
  client.on('localSettings', (settings) => note('client', 'local', settings));
  client.on('remoteSettings', (settings) => {
    note('client', 'remote', settings, settings === client.remoteSettings);
    if (settings.maxConcurrentStreams === 50) {
      client.settings({ headerTableSize: 100 }, (error, now, duration) => {
        note('client', 'acknowledged', error, now.headerTableSize, typeof duration, client.pendingSettingsAck);
        close(client, server);
      });
    }
  });
  attempt(() => client.settings(5));
  attempt(() => client.settings({}, 5));
  attempt(() => client.settings({ maxFrameSize: 1 }));
});
server.on('session', (session) => {
  note('server', 'before', session.localSettings.maxConcurrentStreams, session.pendingSettingsAck);
  session.on('localSettings', (settings) => note('server', 'local', settings));
  session.on('remoteSettings', (settings) => note('server', 'remote', settings));
});
