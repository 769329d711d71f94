'use strict';
// What a program reports to the panels of a browser's tools. Without Node's experimental flags, which we do not have,
// these functions do nothing in Node either.

const { validateObject } = require('internal/validators');

const kNetworkEvents = [
  'requestWillBeSent', 'responseReceived', 'loadingFinished', 'loadingFailed', 'dataSent', 'dataReceived',
  'webSocketCreated', 'webSocketClosed', 'webSocketHandshakeResponseReceived',
];
const kStorageEvents = [
  'domStorageItemAdded', 'domStorageItemRemoved', 'domStorageItemUpdated', 'domStorageItemsCleared', 'registerStorage',
];

const silent = (name) => [name, { [name](params) { validateObject(params, 'params'); } }[name]];

const Network = Object.fromEntries(kNetworkEvents.map((name) => [name, { [name](params) {} }[name]]));
const DOMStorage = Object.fromEntries(kStorageEvents.map(silent));
const NetworkResources = {
  put(url, data) {
    process.emitWarning('The --experimental-inspector-network-resource option is not enabled. ' +
      'Please enable it to use the putNetworkResource function');
  },
};

module.exports = { DOMStorage, Network, NetworkResources };
